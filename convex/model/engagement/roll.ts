/**
 * Owns: adding rows of the log of engagement to the roll-ups of their views' hours, with a cursor of its own that is
 * moved in the same transaction, so that each difference counts exactly once.
 * Not: when that happens (rolling.ts), or a batch that throws (recovery.ts).
 *
 * A page may report long after its view: a day or month that is sealed already takes what comes late as its hour does.
 * Sums only add, so nothing has to be made anew for it.
 */
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { addLogged, emptyEngagement } from "../../../domain/engagement/rollup.ts";
import type { LoggedEngagement } from "../../../domain/engagement/rollup.ts";
import { RollupFormatError } from "../../../domain/rollups/bytes.ts";
import type { RollupUnit } from "../../../domain/rollups/rollup.ts";
import type { Doc, Id } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { commitTsOf } from "../log.ts";
import { startReroll } from "../past/asking.ts";
import { changeSealing, markStale } from "../past/sealing.ts";
import { findWork } from "../past/work.ts";
import { findSealing, sealedBy } from "../rollups/sealed.ts";
import { readSite } from "../sites.ts";
import { ensureWorker } from "../waking.ts";
import { isInEngagement, loggedEngagementOf, readEngagementBatch } from "./log.ts";
import type { EngagementRow } from "./log.ts";
import { changeEngagement } from "./store.ts";

/** Rows that one transaction takes; with a tied edge up to MAX_ROWS_PER_COMMIT more. */
const ROLL_ROWS = 1_000;

/** Hours that one transaction rewrites, and with them at most as many days and months. */
const MAX_HOURS = 60;

export type EngagementBatch = { rows: number; isFull: boolean };

/** The next batch, and the cursor in the same transaction. */
export async function rollBatch(
  ctx: MutationCtx,
  args: { site: string },
): Promise<EngagementBatch> {
  const { site } = args;
  const worker = await ensureWorker(ctx, site);
  const rows = await readNext(ctx, worker, ROLL_ROWS);
  if (rows.length === 0) return { rows: 0, isFull: false };
  const { timeZone } = await readSite(ctx, site);
  const taken = takeHours(rows, calendarOf(timeZone));
  await addRows(ctx, site, taken);
  const isFull = rows.length >= ROLL_ROWS || taken.length < rows.length;
  await passRows(ctx, worker, taken, isFull);
  return { rows: taken.length, isFull };
}

/** Adds rows by id, and leaves the cursor to the caller. */
export async function rollRows(
  ctx: MutationCtx,
  args: { site: string; ids: Id<"engagements">[] },
): Promise<null> {
  const rows = await Promise.all(args.ids.map((id) => ctx.db.get("engagements", id)));
  await addRows(
    ctx,
    args.site,
    rows.filter((row) => row !== null),
  );
  return null;
}

export async function readNext(
  ctx: MutationCtx,
  { site, engagementCursor }: Doc<"workers">,
  limit: number,
): Promise<EngagementRow[]> {
  const upTo = ctx.meta.getSnapshotTs();
  return await readEngagementBatch(ctx, site, { after: engagementCursor ?? 0n, upTo, limit });
}

/** Marks rows as counted: the cursor passes them. While more is left the next batch is due as this one was. */
export async function passRows(
  ctx: MutationCtx,
  worker: Doc<"workers">,
  rows: readonly EngagementRow[],
  isFull: boolean,
): Promise<void> {
  const last = rows.at(-1);
  if (last === undefined) return;
  await ctx.db.patch("workers", worker._id, {
    engagementCursor: commitTsOf(last),
    ...(isFull ? {} : { engagementRolledAt: Date.now(), engagementDueAt: undefined }),
  });
}

/** The rows from the front that fit into MAX_HOURS; never half a commit, because the cursor could not say so. */
function takeHours(rows: readonly EngagementRow[], calendar: Calendar): EngagementRow[] {
  const hours = new Set<number>();
  let whole = 0;
  for (const [place, row] of rows.entries()) {
    const before = rows[place - 1];
    if (before !== undefined && commitTsOf(before) !== commitTsOf(row)) whole = place;
    hours.add(calendar.startOf("hour", row.viewAt));
    if (hours.size > MAX_HOURS && whole > 0) return rows.slice(0, whole);
  }
  return [...rows];
}

async function addRows(
  ctx: MutationCtx,
  site: string,
  rows: readonly EngagementRow[],
): Promise<void> {
  const logged = rows.filter(isInEngagement).map(loggedEngagementOf);
  if (logged.length === 0) return;
  const calendar = calendarOf((await readSite(ctx, site)).timeZone);
  const { hoursSince, daysUntil, monthsUntil } = sealedBy(await findSealing(ctx, site));
  const place = { site, calendar };
  await addTo(ctx, place, "hour", logged, (startsAt) => startsAt >= hoursSince);
  const late = logged.filter(({ viewAt }) => calendar.startOf("day", viewAt) < daysUntil);
  await addTo(ctx, place, "day", late, () => true);
  await addTo(ctx, place, "month", late, (startsAt) => startsAt < monthsUntil);
  await restartMonth(ctx, site, late);
}

type Place = { site: string; calendar: Calendar };

async function addTo(
  ctx: MutationCtx,
  { site, calendar }: Place,
  unit: RollupUnit,
  logged: readonly LoggedEngagement[],
  isKept: (startsAt: number) => boolean,
): Promise<void> {
  const starts = new Set(logged.map(({ viewAt }) => calendar.startOf(unit, viewAt)));
  for (const startsAt of [...starts].filter(isKept)) {
    const rows = logged.filter(({ viewAt }) => calendar.startOf(unit, viewAt) === startsAt);
    try {
      await changeEngagement(ctx, site, { unit, startsAt }, (read) =>
        addLogged(read() ?? emptyEngagement(unit, startsAt), rows),
      );
    } catch (error) {
      if (!(error instanceof RollupFormatError)) throw error;
      console.error(`Engagement of the ${unit} ${startsAt} of site "${site}":`, error.message);
      await remake(ctx, { site, calendar }, unit, startsAt);
    }
  }
}

/** What is damaged is made anew from the log, in which the rows at hand are too: a day with its hours, a month of its days. */
async function remake(
  ctx: MutationCtx,
  { site, calendar }: Place,
  unit: RollupUnit,
  startsAt: number,
): Promise<void> {
  if (unit === "month") await changeSealing(ctx, site, { monthsUntil: startsAt });
  else await markStale(ctx, site, { instants: [startsAt], calendar, isForced: true });
  await startReroll(ctx, site);
}

/** A month that is being built of its days may have read the one that has just changed. */
async function restartMonth(
  ctx: MutationCtx,
  site: string,
  late: readonly LoggedEngagement[],
): Promise<void> {
  if (late.length === 0) return;
  const work = await findWork(ctx, site);
  if (work?.task?.phase !== "month") return;
  const { startsAt, endsAt } = work.task;
  if (!late.some(({ viewAt }) => viewAt >= startsAt && viewAt < endsAt)) return;
  await ctx.db.patch("pastWork", work._id, { task: { ...work.task, cursor: null } });
}
