/**
 * Owns: the doors behind `GET /v1/stats/<report>`: the questions of readers, with a period in words instead of instants.
 * Not: reading a request (model/readings/), and the questions themselves (questions.ts).
 */
import { v } from "convex/values";
import { internalMutation, internalQuery } from "./_generated/server.js";
import type { QueryCtx } from "./_generated/server.js";
import { assertMayRead } from "./model/access.ts";
import { rangeOfPeriod } from "./model/readings/period.ts";
import { answer, reading } from "./model/readings/shapes.ts";
import type { Answer, Reading } from "./model/readings/shapes.ts";
import { readSite } from "./model/sites.ts";
import { getInstantHeadline } from "./model/stats.ts";
import * as worker from "./model/worker.ts";
import * as questions from "./questions.ts";

const reader = { site: v.optional(v.string()), token: v.optional(v.string()) };
/** Throws `not_allowed`, `unknown_site` or `invalid_range`. */
export const read = internalQuery({
  args: { ...reader, asked: reading },
  returns: answer,
  handler: async (ctx, { site, token, asked }) => {
    await assertMayRead(ctx, { site, token });
    return await answerTo(ctx, site === undefined ? {} : { site }, asked);
  },
});

/** Before it is read, again while it is not settled: then it holds everything that was recorded before. */
export const settle = internalMutation({
  args: reader,
  returns: v.object({ isSettled: v.boolean() }),
  handler: async (ctx, { site, token }) => {
    await assertMayRead(ctx, { site, token });
    return await worker.settleAll(ctx, site === undefined ? {} : { site });
  },
});

async function answerTo(ctx: QueryCtx, site: { site?: string }, asked: Reading): Promise<Answer> {
  if (asked.report === "now") return await getInstantHeadline(ctx, await readSite(ctx, site.site));
  const of = { ...site, range: await rangeOfPeriod(ctx, site, asked.period) };
  switch (asked.report) {
    case "summary":
      return await questions.summary.handler(ctx, { ...of, ...argumentsOf(asked) });
    case "timeseries":
      return await questions.timeseries.handler(ctx, { ...of, ...argumentsOf(asked) });
    case "breakdown":
      return await questions.breakdown.handler(ctx, { ...of, ...argumentsOf(asked) });
    case "events":
      return await questions.events.handler(ctx, { ...of, ...argumentsOf(asked) });
    case "eventProperties":
      return await questions.eventProperties.handler(ctx, { ...of, ...argumentsOf(asked) });
    case "engagement":
      return await questions.engagement.handler(ctx, { ...of, ...argumentsOf(asked) });
    case "engagedPaths":
      return await questions.engagedPaths.handler(ctx, { ...of, ...argumentsOf(asked) });
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
