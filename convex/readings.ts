/**
 * Owns: the doors behind `GET /v1/stats/<report>`: the questions of readers, with a period in words instead of instants.
 * Not: reading a request (model/readings/), and the questions themselves (questions.ts).
 */
import { v } from "convex/values";
import { internalMutation, internalQuery } from "./_generated/server.js";
import type { QueryCtx } from "./_generated/server.js";
import { grantOf } from "./model/access.ts";
import type { Grant } from "./model/access.ts";
import { rangeOfPeriod } from "./model/readings/period.ts";
import { answer, reading } from "./model/readings/shapes.ts";
import type { Answer, Reading } from "./model/readings/shapes.ts";
import * as worker from "./model/worker.ts";
import * as questions from "./questions.ts";

const reader = { site: v.optional(v.string()), token: v.optional(v.string()) };
/** Throws `not_allowed`, `unknown_site`, `not_of_segment`, `invalid_range` or `invalid_filter`. */
export const read = internalQuery({
  args: { ...reader, asked: reading },
  returns: answer,
  handler: async (ctx, { site, token, asked }) => {
    const grant = await grantOf(ctx, { site, token });
    return await answerTo(ctx, site === undefined ? {} : { site }, { asked, grant });
  },
});

/** Before it is read, again while it is not settled: then it holds everything that was recorded before. */
export const settle = internalMutation({
  args: reader,
  returns: v.object({ isSettled: v.boolean() }),
  handler: async (ctx, { site, token }) => {
    await grantOf(ctx, { site, token });
    return await worker.settleAll(ctx, site === undefined ? {} : { site });
  },
});

/**
 * Then, where it is asked under a filter, a step of that; again until it says that nothing is left. Throws as `read`,
 * or `too_many_filters`.
 */
export const makeFilter = internalMutation({
  args: { ...reader, asked: reading },
  returns: v.boolean(),
  handler: async (ctx, { token, asked, ...named }) => {
    const site = named.site === undefined ? {} : { site: named.site };
    const grant = await grantOf(ctx, { ...site, token });
    if (asked.report === "now") return true;
    const filter = "filter" in asked ? (asked.filter ?? []) : [];
    const range = await rangeOfPeriod(ctx, site, asked.period);
    return await questions.make.answer(ctx, { ...site, range, filter }, grant);
  },
});

type Question = { asked: Reading; grant: Grant };

async function answerTo(
  ctx: QueryCtx,
  site: { site?: string },
  { asked, grant }: Question,
): Promise<Answer> {
  if (asked.report === "now") return await questions.instantHeadline.answer(ctx, site, grant);
  const of = { ...site, range: await rangeOfPeriod(ctx, site, asked.period) };
  switch (asked.report) {
    case "summary":
      return await questions.summary.answer(ctx, { ...of, ...argumentsOf(asked) }, grant);
    case "timeseries":
      return await questions.timeseries.answer(ctx, { ...of, ...argumentsOf(asked) }, grant);
    case "breakdown":
      return await questions.breakdown.answer(ctx, { ...of, ...argumentsOf(asked) }, grant);
    case "events":
      return await questions.events.answer(ctx, { ...of, ...argumentsOf(asked) }, grant);
    case "eventProperties":
      return await questions.eventProperties.answer(ctx, { ...of, ...argumentsOf(asked) }, grant);
    case "engagement":
      return await questions.engagement.answer(ctx, { ...of, ...argumentsOf(asked) }, grant);
    case "engagedPaths":
      return await questions.engagedPaths.answer(ctx, { ...of, ...argumentsOf(asked) }, grant);
    default:
      return asked satisfies never;
  }
}

/** Besides the range. */
function argumentsOf<R extends Exclude<Reading, { report: "now" }>>({
  report: _report,
  period: _period,
  ...more
}: R) {
  return more;
}
