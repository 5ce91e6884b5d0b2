/** Owns: the shapes of filters as validators. Not: what they mean (domain/filters/). */
import { v } from "convex/values";
import { condition } from "../../schema.ts";

export const segment = v.object({ name: v.string(), filter: v.array(condition) });
