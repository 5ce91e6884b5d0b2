/**
 * Owns: comparing what is stored of a day or month with what the log gives.
 * Not: the recount (recount.ts), or all-time totals (totals.ts).
 */
import { RollupFormatError } from "../../../domain/rollups/bytes.ts";
import { differences } from "../../../domain/rollups/compare.ts";
import type { Cell } from "../../../domain/rollups/cell.ts";
import type { Difference } from "../../../domain/rollups/compare.ts";
import type { Rollup, RollupUnit } from "../../../domain/rollups/rollup.ts";
import { seal } from "../../../domain/rollups/seal.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { compareEngagementDay, compareEngagementMonth } from "../engagement/comparing.ts";
import { catchUpEngagement } from "../engagement/past.ts";
import { readRollup, readTotals } from "../rollups/store.ts";
import { daysBetween, totalPageViews, uniqueVisitors } from "./aggregates.ts";
import { buildMonth } from "./months.ts";
import { findSiteDay, readPathDays, sumsOf } from "./publishing.ts";
import type { Sums } from "./publishing.ts";
import { catchUp } from "./recount.ts";
import type { Place } from "./recount.ts";
import { findStaleDay } from "./sealing.ts";
import { clearStaged, readStaged } from "./staging.ts";
import type { DayTask } from "./tasks.ts";

/** In words, one for each figure that is wrong. */
export type Findings = string[];

export type Compared = {
  /** Null: the day is compared, or has to be begun again. */
  task: DayTask | null;
  findings: Findings;
  /** The day was changed meanwhile: it has to be made anew, and then recounted. */
  isOutdated: boolean;
  rows: number;
};

export async function compareDay(
  ctx: MutationCtx,
  place: Place,
  begun: DayTask,
  sealing: Doc<"sealing">,
): Promise<Compared> {
  const caughtUp = await catchUp(ctx, place, begun);
  const { task, isComplete } = await catchUpEngagement(ctx, place, caughtUp.task);
  const { site, calendar } = place;
  if (!caughtUp.isComplete || !isComplete)
    return { task, findings: [], isOutdated: false, rows: task.rows };
  const { startsAt, endsAt } = task;
  const hours = await readStaged(ctx, site, "hour");
  await clearStaged(ctx, site, "hour");
  const engaged = await compareEngagementDay(ctx, place, task, sealing);
  const isOutdated = (await findStaleDay(ctx, site, startsAt)) !== null;
  if (isOutdated) return { task: null, findings: [], isOutdated, rows: task.rows };
  const findings: Findings = [...engaged];
  if (startsAt >= sealing.hoursSince) {
    findings.push(...(await compareHours(ctx, place, task, hours)));
  }
  if (endsAt <= sealing.daysUntil) {
    const day = hours.length === 0 ? null : seal("day", startsAt, hours, calendar);
    findings.push(...(await compareBucket(ctx, site, { unit: "day", startsAt }, day)));
    if (endsAt <= sealing.publishedUntil) {
      findings.push(...(await comparePublished(ctx, site, task, day)));
    }
  }
  return { task: null, findings, isOutdated: false, rows: task.rows };
}

/** A sealed month against the days that it is made of. */
export async function compareMonth(
  ctx: MutationCtx,
  place: Place,
  begun: DayTask,
): Promise<Compared> {
  const bucket = { unit: "month" as const, startsAt: begun.startsAt };
  const compared = { task: null, isOutdated: false, rows: 0 };
  try {
    const { task, month } = await buildMonth(ctx, place, begun);
    if (month === null) return { ...compared, task, findings: [] };
    const engaged = await compareEngagementMonth(ctx, place, task);
    const found = await compareBucket(ctx, place.site, bucket, month);
    return { ...compared, findings: [...found, ...engaged] };
  } catch (error) {
    if (!(error instanceof RollupFormatError)) throw error;
    const name = nameOf(bucket);
    return { ...compared, findings: [`${name}: a day cannot be read: ${error.message}`] };
  }
}

async function compareHours(
  ctx: MutationCtx,
  { site, calendar }: Place,
  { startsAt, endsAt }: DayTask,
  hours: readonly Rollup[],
): Promise<Findings> {
  const counted = new Map(hours.map((hour) => [hour.startsAt, hour]));
  const findings: Findings = [];
  for (const at of calendar.between("hour", startsAt, endsAt)) {
    const bucket = { unit: "hour" as const, startsAt: at };
    findings.push(...(await compareBucket(ctx, site, bucket, counted.get(at) ?? null)));
  }
  return findings;
}

async function compareBucket(
  ctx: MutationCtx,
  site: string,
  bucket: { unit: RollupUnit; startsAt: number },
  counted: Rollup | null,
): Promise<Findings> {
  const name = nameOf(bucket);
  try {
    const stored = await readRollup(ctx, site, bucket);
    const found = differences(stored, counted).map((found) => inWords(name, found));
    if (bucket.unit === "hour") return found;
    const { unit, startsAt } = bucket;
    const range = { unit, from: startsAt, until: startsAt + 1 };
    const [short = null] = await readTotals(ctx, site, range);
    const total = counted === null ? null : { ...counted, dimensions: new Map() };
    return [...found, ...differences(short, total).map((f) => inWords(`${name} (short)`, f))];
  } catch (error) {
    if (!(error instanceof RollupFormatError)) throw error;
    return [`${name}: cannot be read: ${error.message}`];
  }
}

function nameOf({ unit, startsAt }: { unit: RollupUnit; startsAt: number }): string {
  return `${unit} ${new Date(startsAt).toISOString()}`;
}

function inWords(name: string, { dimension, value, figure, stored, counted }: Difference): string {
  const of = value === null ? (dimension ?? "total") : `${dimension} ${JSON.stringify(value)}`;
  return `${name}, ${of}: ${figure} ${stored}, the log says ${counted}`;
}

async function comparePublished(
  ctx: MutationCtx,
  site: string,
  { startsAt, endsAt }: DayTask,
  day: Rollup | null,
): Promise<Findings> {
  const name = `day ${new Date(startsAt).toISOString()}`;
  const total = day === null ? NO_SUMS : sumsOf(day.total);
  const stored = (await findSiteDay(ctx, { site, startsAt })) ?? NO_SUMS;
  const bounds = daysBetween(startsAt, endsAt);
  const summed = {
    views: await totalPageViews.sum(ctx, { namespace: site, bounds }),
    newVisitors: await uniqueVisitors.sum(ctx, { namespace: site, bounds }),
  };
  const rows = await readPathDays(ctx, { site, startsAt });
  const pages = day?.dimensions.get("path")?.cells ?? new Map<string, Cell>();
  const findings = [
    ...sumFindings(`${name} in siteDays`, stored, total),
    ...sumFindings(`${name} in the aggregates`, summed, total),
  ];
  for (const path of new Set([...rows.keys(), ...pages.keys()])) {
    const cell = pages.get(path);
    const counted = cell === undefined || cell.views === 0 ? NO_SUMS : sumsOf(cell);
    const place = `${name} in pathDays, ${JSON.stringify(path)}`;
    findings.push(...sumFindings(place, rows.get(path) ?? NO_SUMS, counted));
  }
  return findings;
}

const NO_SUMS: Sums = { views: 0, newVisitors: 0 };

function sumFindings(name: string, stored: Sums, counted: Sums): Findings {
  return (["views", "newVisitors"] as const)
    .filter((figure) => stored[figure] !== counted[figure])
    .map((figure) => `${name}: ${figure} ${stored[figure]}, the log says ${counted[figure]}`);
}
