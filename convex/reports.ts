/**
 * Owns: the doors of the reports: bounded, exact, and each a subscription. They hold what is rolled up; a reader that
 * does not watch calls stats:settle first.
 * Not: what is asked and answered (questions.ts), the rules (model/reports/).
 */
import * as questions from "./questions.ts";
import { readerQuery } from "./readers.ts";

/** The figures of a range, of all views or of one value `only`. Throws `unknown_site` or `invalid_range`. */
export const summary = readerQuery(questions.summary);

/** The same for each hour, day, week or month of the range. */
export const timeseries = readerQuery(questions.timeseries);

/** Custom events by name: `limit` of them (50 by default), and the rest as one sum. `timeseries` with `only` shows one over time. Throws as above. */
export const events = readerQuery(questions.events);

/** The properties of one event, each with its most frequent values: `limit` of them (50 by default), and the rest as one sum. */
export const eventProperties = readerQuery(questions.eventProperties);

/** The values of a dimension, those with the most of `rankBy` (views by default) first: `limit` of them (50 by default), and the rest as one sum. */
export const breakdown = readerQuery(questions.breakdown);

/** Engaged time, scroll depth, Web Vitals and how many were touched, of the views of a range, of all or of one path. Throws as above. */
export const engagement = readerQuery(questions.engagement);

/** The same for each path, those with the most of `rankBy` (engaged time by default) first: `limit` of them (50 by default), and the rest as one sum. */
export const engagedPaths = readerQuery(questions.engagedPaths);

/** How many hits of the last 30 days were filtered instead of counted, by reason, bots by kind. Throws `unknown_site`. */
export const leftOut = readerQuery(questions.leftOut);

/** What operators wrote beside the numbers of a range, in the order of time. Throws `unknown_site` or `invalid_range`. */
export const annotations = readerQuery(questions.annotations);
