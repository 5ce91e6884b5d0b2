/** Owns: the doors through which the work on the past calls itself. Not: the rules (model/past/). */
import { v } from "convex/values";
import { internalMutation } from "./_generated/server.js";
import * as asking from "./model/past/asking.ts";
import * as retention from "./model/past/retention.ts";
import * as work from "./model/past/work.ts";

/** One step of a site's chain and the scheduling of the next. Does nothing when the chain was replaced. */
export const step = internalMutation({
  args: { site: v.string(), chain: v.number() },
  returns: v.null(),
  handler: (ctx, args) => work.step(ctx, args),
});

/** The step itself, in a transaction of its own inside the chain's, so that it leaves nothing behind when it throws. */
export const advance = internalMutation({
  args: { site: v.string() },
  returns: v.object({ isIdle: v.boolean(), restMs: v.number() }),
  handler: (ctx, args) => work.advance(ctx, args),
});

/** Seals days that are over and revives chains that died. From the cron. */
export const ensureChains = internalMutation({
  args: {},
  returns: v.null(),
  handler: (ctx) => work.ensureChains(ctx),
});

/** Proves the day before, of every site. From the nightly cron. */
export const verifyYesterday = internalMutation({
  args: {},
  returns: v.null(),
  handler: (ctx) => asking.verifyYesterday(ctx),
});

/** Removes what has served its time, of every site. From the daily cron. */
export const startRetention = internalMutation({
  args: {},
  returns: v.null(),
  handler: (ctx) => retention.startRetention(ctx),
});

/** A batch of a site's rows and hours that have served their time. */
export const retain = internalMutation({
  args: { site: v.string() },
  returns: v.null(),
  handler: (ctx, args) => retention.retain(ctx, args),
});

/** A batch of visitors whom nobody has seen for as long as rows are kept. */
export const retainVisitors = internalMutation({
  args: { after: v.union(v.number(), v.null()) },
  returns: v.null(),
  handler: (ctx, args) => retention.retainVisitors(ctx, args),
});
