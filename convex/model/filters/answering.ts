/**
 * Owns: the part of a site's views that a report under a filter is made of: which of its days are there, and their
 * roll-ups.
 * Not: the report (reports/), making the days (work.ts).
 */
import { DAY_MS } from "../../../domain/calendar/civil.ts";
import type { Filter } from "../../../domain/filters/filter.ts";
import type { DimensionName } from "../../../domain/rollups/dimension.ts";
import type { Rollup } from "../../../domain/rollups/rollup.ts";
import type { Id } from "../../_generated/dataModel.js";
import type { QueryCtx } from "../../_generated/server.js";
import { readOldestAt } from "../past/sealing.ts";
import type { Scope } from "../reports/range.ts";
import { findSealing } from "../rollups/sealed.ts";
import { readRollups } from "../rollups/store.ts";
import { assertFilter } from "./asking.ts";
import { ownerOf } from "./owner.ts";
import { daysOf, findFilter } from "./store.ts";

type Made = { startsAt: number; endsAt: number; isSealed: boolean };

/** The days of a range that are there under a filter, and how many there will be. */
export type Part = { filter: Id<"filters"> | null; made: Made[]; total: number };

/** Throws `invalid_filter`. */
export async function readPart(ctx: QueryCtx, scope: Scope, filter: Filter): Promise<Part> {
  assertFilter(filter);
  const { site, calendar } = scope;
  const rowsSince = (await findSealing(ctx, site))?.rowsSince ?? 0;
  const oldest = await readOldestAt(ctx, site);
  const since = oldest === null ? scope.until : Math.max(rowsSince, oldest);
  const found = await findFilter(ctx, site, filter);
  const days = calendar.startOf("day", scope.from);
  const rows =
    found === null ? [] : await daysOf(ctx, found._id, { from: days, until: scope.until });
  const made = rows.map(({ startsAt, isSealed }) => {
    return { startsAt, isSealed, endsAt: calendar.next("day", startsAt) };
  });
  const known = new Set(made.map(({ startsAt }) => startsAt));
  const until = Math.min(scope.until, Date.now() + 1);
  const first = calendar.startOf("day", Math.max(scope.from, since));
  const wanted = first < until ? calendar.between("day", first, until) : [];
  const missing = wanted.filter((startsAt) => !known.has(startsAt)).length;
  return { filter: found?._id ?? null, made, total: made.length + missing };
}

/** As readScopeRollups, of what is made: whole days where the range is made of days, and hours for the rest. */
export async function readPartRollups(
  ctx: QueryCtx,
  { site, calendar, from, until, sealed }: Scope,
  { filter, made }: Part,
  wanted: ReadonlySet<DimensionName>,
): Promise<Rollup[]> {
  if (filter === null) return [];
  const owner = ownerOf(site, filter);
  const isByHour = sealed.daysUntil === Number.NEGATIVE_INFINITY;
  const isByDay = !isByHour && calendar.startOf("day", from) === from;
  const isWhole = ({ startsAt, endsAt, isSealed }: Made) =>
    isByDay && isSealed && startsAt >= from && endsAt <= until;
  const whole = new Set(made.filter(isWhole).map(({ startsAt }) => startsAt));
  const days =
    whole.size === 0 ? [] : await readRollups(ctx, owner, { unit: "day", from, until }, wanted);
  const rollups = days.filter(({ startsAt }) => whole.has(startsAt));
  for (const run of runsOf(made.filter((day) => !isWhole(day)))) {
    const range = { from: Math.max(from, run.startsAt), until: Math.min(until, run.endsAt) };
    rollups.push(...(await readRollups(ctx, owner, { unit: "hour", ...range }, wanted)));
  }
  return rollups;
}

/** Days that follow each other are one range of the index. */
function runsOf(days: readonly Made[]): { startsAt: number; endsAt: number }[] {
  const runs: { startsAt: number; endsAt: number }[] = [];
  for (const { startsAt, endsAt } of days) {
    const last = runs.at(-1);
    if (last?.endsAt === startsAt && endsAt - last.startsAt <= MAX_RUN_MS) last.endsAt = endsAt;
    else runs.push({ startsAt, endsAt });
  }
  return runs;
}

/** Hours of one read: of a busy site they are some documents each. */
const MAX_RUN_MS = 14 * DAY_MS;
