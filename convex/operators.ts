/**
 * Owns: the doors through which operators read statistics, whoever else may: nobody reaches them without the
 * deployment's key.
 * Not: the doors of readers (stats.ts, reports.ts), which answer the same.
 */
import { v } from "convex/values";
import { internalMutation } from "./_generated/server.js";
import * as worker from "./model/worker.ts";
import * as questions from "./questions.ts";
import { operatorMutation, operatorQuery } from "./readers.ts";

const site = v.optional(v.string());

/** Before a report, again while it is not settled. */
export const settle = internalMutation({
  args: { site },
  returns: v.object({ isSettled: v.boolean() }),
  handler: (ctx, args) => worker.settleAll(ctx, args),
});

/** Before a report under a filter, and again until it is true: a step of counting what meets it. */
export const makeFilter = operatorMutation(questions.make);

export const getStats = operatorQuery(questions.getStats);
export const getHeadline = operatorQuery(questions.getHeadline);
export const getPanels = operatorQuery(questions.getPanels);
export const countOnline = operatorQuery(questions.countOnline);
export const listPages = operatorQuery(questions.listPages);
export const countViews = operatorQuery(questions.countViews);
export const countNewVisitors = operatorQuery(questions.countNewVisitors);
export const getWorker = operatorQuery(questions.getWorker);
export const getHealth = operatorQuery(questions.getHealth);
export const summary = operatorQuery(questions.summary);
export const timeseries = operatorQuery(questions.timeseries);
export const events = operatorQuery(questions.events);
export const eventProperties = operatorQuery(questions.eventProperties);
export const breakdown = operatorQuery(questions.breakdown);
export const engagement = operatorQuery(questions.engagement);
export const engagedPaths = operatorQuery(questions.engagedPaths);
export const leftOut = operatorQuery(questions.leftOut);
export const annotations = operatorQuery(questions.annotations);
export const onlineByTime = operatorQuery(questions.onlineByTime);
export const movements = operatorQuery(questions.movements);
export const segments = operatorQuery(questions.segments);
