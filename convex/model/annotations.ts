/**
 * Owns: annotations: what an operator writes beside the numbers of a day or a moment, such as a release or an outage.
 * Not: how a text says which moment (domain/calendar/moment.ts), or drawing them (src/stats/period/TrendNotes.tsx).
 *
 * One of a day is kept by its name: it stays on that day when the site's time zone changes. The instant beside it is
 * how the day began when it was written, and finds it.
 */
import { v } from "convex/values";
import type { Infer } from "convex/values";
import { calendarOf } from "../../domain/calendar/calendar.ts";
import type { Calendar } from "../../domain/calendar/calendar.ts";
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { readMoment } from "../../domain/calendar/moment.ts";
import type { Moment } from "../../domain/calendar/moment.ts";
import { clampLine } from "../../domain/text.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { callerError, quoted } from "../errors.ts";
import { acceptRange } from "./reports/range.ts";
import type { ReportRange } from "./reports/shapes.ts";
import { readSite } from "./sites.ts";

/** UTF-16 units: a sentence or two, which the trend shows beside a bar. */
export const MAX_ANNOTATION_LENGTH = 200;

/** Of a site: two a week for three years, and few enough that a reader gets all of a range in one answer. */
const MAX_ANNOTATIONS = 300;

/** Between how a day begins in any two zones. */
const ZONES_APART_MS = 2 * DAY_MS;

export const annotation = v.object({
  /** Epoch ms; of a day its beginning in the site's zone. */
  at: v.number(),
  /** The local day, such as 2026-11-30; null of a moment. */
  day: v.union(v.string(), v.null()),
  text: v.string(),
});
export type Annotation = Infer<typeof annotation>;

/** With what an operator removes it by. */
export const listedAnnotation = v.object({ id: v.string(), ...annotation.fields });
export type ListedAnnotation = Infer<typeof listedAnnotation>;

/** `on` is a day or a moment (domain/calendar/moment.ts); now when it is left out. Throws `unknown_site` or `invalid_annotation`. */
export async function add(
  ctx: MutationCtx,
  args: { site?: string; on?: string; text: string },
): Promise<ListedAnnotation> {
  const { slug, timeZone } = await readSite(ctx, args.site);
  const calendar = calendarOf(timeZone);
  const text = clampLine(args.text, MAX_ANNOTATION_LENGTH);
  if (text === "") {
    throw callerError("invalid_annotation", "An annotation is a line of text; this one has none.");
  }
  const { at, day } = acceptMoment(args.on, calendar);
  const kept = await rowsOf(ctx, slug).take(MAX_ANNOTATIONS);
  if (kept.length >= MAX_ANNOTATIONS) {
    throw callerError(
      "invalid_annotation",
      `Site "${slug}" has ${MAX_ANNOTATIONS} annotations, and more would hide the numbers. npm run sites -- annotations ${slug} lists them; remove-annotation ${slug} --id ID removes one.`,
    );
  }
  const row = { site: slug, at, text, ...(day === null ? {} : { day }) };
  const id = await ctx.db.insert("annotations", row);
  return { id, at, day, text };
}

/** A site's, the newest first. Throws `unknown_site`. */
export async function list(ctx: QueryCtx, args: { site?: string }): Promise<ListedAnnotation[]> {
  const { slug, timeZone } = await readSite(ctx, args.site);
  const rows = await rowsOf(ctx, slug).take(MAX_ANNOTATIONS);
  const calendar = calendarOf(timeZone);
  const listed = rows.map((row) => ({ id: String(row._id), ...asRead(row, calendar) }));
  return listed.sort((one, other) => other.at - one.at);
}

/** Throws `unknown_site`, or `invalid_annotation` when the site has none with that id. */
export async function remove(ctx: MutationCtx, args: { site?: string; id: string }): Promise<null> {
  const { slug } = await readSite(ctx, args.site);
  const id = ctx.db.normalizeId("annotations", args.id);
  const row = id === null ? null : await ctx.db.get("annotations", id);
  if (row === null || row.site !== slug) {
    throw callerError(
      "invalid_annotation",
      `Site "${slug}" has no annotation with the id ${quoted(args.id)}. npm run sites -- annotations ${slug} lists them.`,
    );
  }
  await ctx.db.delete("annotations", row._id);
  return null;
}

/** Those of a range, in the order of time. Throws `unknown_site` or `invalid_range`. */
export async function ofRange(
  ctx: QueryCtx,
  args: { site?: string; range: ReportRange },
): Promise<Annotation[]> {
  const { slug, timeZone } = await readSite(ctx, args.site);
  const calendar = calendarOf(timeZone);
  const { from, until } = acceptRange(args.range, calendar);
  const rows = await ctx.db
    .query("annotations")
    .withIndex("by_site_at", (q) =>
      q
        .eq("site", slug)
        .gte("at", from - ZONES_APART_MS)
        .lt("at", until + ZONES_APART_MS),
    )
    .take(MAX_ANNOTATIONS);
  return rows
    .map((row) => asRead(row, calendar))
    .filter(({ at }) => at >= from && at < until)
    .sort((one, other) => one.at - other.at);
}

function rowsOf(ctx: QueryCtx, site: string) {
  return ctx.db.query("annotations").withIndex("by_site_at", (q) => q.eq("site", site));
}

function asRead({ at, day, text }: Doc<"annotations">, calendar: Calendar): Annotation {
  const startsAt = day === undefined ? null : calendar.startOfDate(day);
  return { at: startsAt ?? at, day: day ?? null, text };
}

function acceptMoment(on: string | undefined, calendar: Calendar): Moment {
  if (on === undefined) return { at: Date.now(), day: null };
  const moment = readMoment(on, calendar);
  if (moment !== null && moment.at >= 0) return moment;
  throw callerError(
    "invalid_annotation",
    `${quoted(on)} is no day or moment in ${calendar.timeZone}; wanted one such as 2026-11-30, "2026-11-30 14:30" or 2026-11-30T13:30Z.`,
  );
}
