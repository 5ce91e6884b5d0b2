/**
 * Owns: which range a report is about: what the caller means, what may be asked, and how it is rounded.
 * Not: reading it (reading.ts).
 */
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { DAY_MS } from "../../../domain/calendar/civil.ts";
import type { Filter } from "../../../domain/filters/filter.ts";
import { MAX_REPORT_DAYS } from "../../../domain/limits.ts";
import { roundRange } from "../../../domain/rollups/range.ts";
import type { Sealed } from "../../../domain/rollups/range.ts";
import type { ModeChange } from "../../../domain/visitor-modes.ts";
import type { QueryCtx } from "../../_generated/server.js";
import { callerError } from "../../errors.ts";
import { readPart } from "../filters/answering.ts";
import type { Part } from "../filters/answering.ts";
import { findSealing, sealedBy } from "../rollups/sealed.ts";
import { readSite } from "../sites.ts";
import type { ReportRange } from "./shapes.ts";

/** Zones have rules for some decades to come; nothing is counted after this. */
const LATEST_UNTIL = Date.UTC(2200, 0, 1);

export type Scope = {
  site: string;
  calendar: Calendar;
  /** Whether a header of the CDN is believed on a visitor's country. */
  hasCountryHeader: boolean;
  /** Whom the site counted as one visitor, and when. */
  visitorModes: readonly ModeChange[];
  sealed: Sealed;
  /** The range begins before what visitors are remembered from. */
  isBeyondRetention: boolean;
  /** Rounded to whole buckets. */
  from: number;
  until: number;
  /** Of a report under a filter: what there is of it. */
  part?: Part;
};

/** The same under a filter, where there is one. Throws `invalid_filter` besides. */
export async function readFilteredScope(
  ctx: QueryCtx,
  args: { site?: string; range: ReportRange; filter?: Filter },
): Promise<Scope> {
  const scope = await readScope(ctx, args);
  if (args.filter === undefined || args.filter.length === 0) return scope;
  return { ...scope, part: await readPart(ctx, scope, args.filter) };
}

/** Throws `unknown_site` or `invalid_range`. */
export async function readScope(
  ctx: QueryCtx,
  args: { site?: string; range: ReportRange },
): Promise<Scope> {
  const { slug, timeZone, countryHeader, visitorModes } = await readSite(ctx, args.site);
  const calendar = calendarOf(timeZone);
  const sealing = await findSealing(ctx, slug);
  const sealed = sealedBy(sealing);
  const asked = acceptRange(args.range, calendar);
  const rounded = roundRange(calendar, asked, sealed);
  const isBeyondRetention = await hasForgotten(ctx, slug, {
    from: rounded.from,
    rowsSince: sealing?.rowsSince ?? 0,
  });
  const hasCountryHeader = countryHeader !== undefined;
  const known = { hasCountryHeader, visitorModes, sealed, isBeyondRetention };
  return { site: slug, calendar, ...known, ...rounded };
}

/** Days were counted whose rows may be gone, and the range has some of them. */
async function hasForgotten(
  ctx: QueryCtx,
  site: string,
  { from, rowsSince }: { from: number; rowsSince: number },
): Promise<boolean> {
  if (from >= rowsSince) return false;
  const oldest = await ctx.db
    .query("siteDays")
    .withIndex("by_site_startsAt", (q) => q.eq("site", site))
    .first();
  return oldest !== null && oldest.startsAt < rowsSince;
}

/** Throws `invalid_range`. */
export function acceptRange(
  range: ReportRange,
  calendar: Calendar,
): { from: number; until: number } {
  const { from, until } = "from" in range ? range : ofDays(range, calendar);
  const isInTime = from >= 0 && until <= LATEST_UNTIL && from < until;
  if (!isInTime) {
    throw callerError(
      "invalid_range",
      `The range from ${from} until ${until} holds no instant between 1970 and 2200; wanted epoch ms, and "from" before "until".`,
    );
  }
  if (until - from > MAX_REPORT_DAYS * DAY_MS) {
    const days = Math.ceil((until - from) / DAY_MS);
    throw callerError(
      "invalid_range",
      `The range has ${days} days; at most ${MAX_REPORT_DAYS} can be asked at once. Ask for a part of it.`,
    );
  }
  return { from, until };
}

function ofDays(
  { firstDay, lastDay }: { firstDay: string; lastDay: string },
  calendar: Calendar,
): { from: number; until: number } {
  const from = startOf(firstDay, calendar);
  return { from, until: calendar.next("day", startOf(lastDay, calendar)) };
}

function startOf(day: string, calendar: Calendar): number {
  const startsAt = calendar.startOfDate(day);
  if (startsAt !== null) return startsAt;
  throw callerError(
    "invalid_range",
    `"${day.slice(0, 32)}" is no day in ${calendar.timeZone}; wanted one such as 2026-11-30.`,
  );
}
