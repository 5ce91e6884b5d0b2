/**
 * Owns: the doors of filters: a reader asks for one, the work on them calls itself.
 * Not: the rules (model/filters/), the reports under them (reports.ts), keeping one as a segment (segments.ts).
 */
import { v } from "convex/values";
import { internalMutation } from "./_generated/server.js";
import * as work from "./model/filters/work.ts";
import * as questions from "./questions.ts";
import { readerMutation, readerQuery } from "./readers.ts";

/**
 * A page shows a filter: makes what is missing of it in the range, and keeps it up for some minutes; it asks again
 * every FILTER_ASK_INTERVAL_MS while it shows it. Throws `unknown_site`, `invalid_range`, `invalid_filter` or
 * `too_many_filters`.
 */
export const ask = readerMutation(questions.ask);

/**
 * Of a link that shows one segment alone: what that is called, and what its page needs besides the reports. Null for
 * whoever may read everything. Throws `unknown_site`.
 */
export const shared = readerQuery(questions.shared);

/** Filters that are kept under a name. Throws `unknown_site`. */
export const segments = readerQuery(questions.segments);

/** One step of a site's chain and the scheduling of the next. Does nothing when the chain was replaced. */
export const step = internalMutation({
  args: { site: v.string(), chain: v.number() },
  returns: v.null(),
  handler: (ctx, args) => work.step(ctx, args),
});

/** The step itself, in a transaction of its own inside the chain's. True when nothing is left to do. */
export const advance = internalMutation({
  args: { site: v.string() },
  returns: v.boolean(),
  handler: (ctx, args) => work.advance(ctx, args),
});
