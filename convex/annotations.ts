/** Owns: the doors through which operators annotate the numbers. Not: the rules (model/annotations.ts), or reading them on /stats (reports.ts). */
import { v } from "convex/values";
import { internalMutation, internalQuery } from "./_generated/server.js";
import * as annotations from "./model/annotations.ts";
import { listedAnnotation } from "./model/annotations.ts";

const site = v.optional(v.string());

/**
 * Writes a line beside the numbers: `on` a local day (2026-11-30), a local moment ("2026-11-30 14:30") or an instant
 * (2026-11-30T13:30Z); now when it is left out. Throws `unknown_site` or `invalid_annotation`.
 */
export const add = internalMutation({
  args: { site, on: v.optional(v.string()), text: v.string() },
  returns: listedAnnotation,
  handler: (ctx, args) => annotations.add(ctx, args),
});

/** A site's, the newest first. Throws `unknown_site`. */
export const list = internalQuery({
  args: { site },
  returns: v.array(listedAnnotation),
  handler: (ctx, args) => annotations.list(ctx, args),
});

/** Throws `unknown_site` or `invalid_annotation`. */
export const remove = internalMutation({
  args: { site, id: v.string() },
  returns: v.null(),
  handler: (ctx, args) => annotations.remove(ctx, args),
});
