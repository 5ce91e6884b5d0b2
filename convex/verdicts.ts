/** Owns: the doors through which a change of verdicts calls itself, and what operators see of it. Not: the rules (model/verdicts/). */
import { v } from "convex/values";
import { internalMutation, internalQuery } from "./_generated/server.js";
import * as jobs from "./model/verdicts/jobs.ts";
import { verdictJob } from "./model/verdicts/verdictShapes.ts";

const site = v.optional(v.string());

/** The jobs of a site, the newest first. */
export const list = internalQuery({
  args: { site },
  returns: v.array(verdictJob),
  handler: (ctx, args) => jobs.list(ctx, args),
});

/** Stops those that run. What is changed stays changed; asking for the same again goes on. */
export const cancel = internalMutation({
  args: { site },
  returns: v.array(verdictJob),
  handler: (ctx, args) => jobs.cancel(ctx, args),
});

/** One step and the scheduling of the next. Does nothing when another took its place. */
export const step = internalMutation({
  args: { site: v.string(), job: v.id("verdictJobs"), step: v.number() },
  returns: v.null(),
  handler: (ctx, args) => jobs.step(ctx, args),
});

/** The step itself, in a transaction of its own. */
export const advance = internalMutation({
  args: { job: v.id("verdictJobs") },
  returns: v.null(),
  handler: (ctx, args) => jobs.advance(ctx, args),
});
