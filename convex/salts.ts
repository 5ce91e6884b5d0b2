/** Owns: the doors through which salts are made and deleted. Not: the rules (model/salts.ts). */
import { v } from "convex/values";
import { internalAction, internalMutation } from "./_generated/server.js";
import * as salts from "./model/salts.ts";

/** Deletes salts that have served their time, and has the next ones made. From the hourly cron. */
export const tend = internalMutation({
  args: {},
  returns: v.null(),
  handler: (ctx) => salts.tend(ctx),
});

/** Makes the salts of today and tomorrow, unless they are there. */
export const make = internalAction({
  args: {},
  returns: v.null(),
  handler: (ctx) => salts.make(ctx),
});

export const store = internalMutation({
  args: { salts: v.array(v.object({ startsAt: v.number(), salt: v.string() })) },
  returns: v.null(),
  handler: (ctx, args) => salts.store(ctx, args),
});
