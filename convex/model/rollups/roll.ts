/**
 * Owns: adding log rows to the roll-ups of their hours, in commit order, with the cursor moved in the same transaction.
 * Not: when that happens (rolling.ts), or days and months (sealing).
 *
 * The roll-ups follow the headline: a row that is not settled is not rolled up. Rows that the backfill handed over
 * are passed by, because a re-roll makes their days; so are rows that are put aside.
 */
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { RollupFormatError } from "../../../domain/rollups/bytes.ts";
import { emptyRollup } from "../../../domain/rollups/rollup.ts";
import type { Rollup } from "../../../domain/rollups/rollup.ts";
import { addViews } from "../../../domain/rollups/view.ts";
import type { LoggedView } from "../../../domain/rollups/view.ts";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx } from "../../_generated/server.js";
import { commitTsOf, readViewBatch } from "../log.ts";
import { readSite } from "../sites.ts";
import { ensureWorker } from "../waking.ts";
import { isInSums, loggedViewOf } from "./logged.ts";
import { remakeSealed } from "../past/late.ts";
import { readRollup, writeRollup } from "./store.ts";

/** Rows that one transaction rolls up; with a tied edge up to MAX_ROWS_PER_COMMIT more. */
const BATCH_VIEWS = 500;

/** Hours that one transaction rewrites: packed ones of a busy site are about 25 kB, and it may write 16 MiB. */
const MAX_BATCH_HOURS = 100;

export type RollOutcome = { views: number; isFull: boolean };

export async function rollBatch(ctx: MutationCtx, args: { site: string }): Promise<RollOutcome> {
  const { site } = args;
  const worker = await ensureWorker(ctx, site);
  const calendar = calendarOf((await readSite(ctx, site)).timeZone);
  const after = worker.rollupCursor ?? 0n;
  const range = { after, upTo: worker.viewCursor, limit: BATCH_VIEWS };
  const rows = await readViewBatch(ctx, site, range);
  const { passed, hours } = takeHours(rows, calendar);
  for (const [startsAt, views] of hours) await addToHour(ctx, site, { startsAt, views, calendar });
  await remakeSealed(ctx, site, { hours: hours.keys(), calendar });
  const last = passed.at(-1);
  if (last === undefined && !hasUnrolled(worker)) return { views: 0, isFull: false };
  const isFull = rows.length >= BATCH_VIEWS || passed.length < rows.length;
  await ctx.db.patch("workers", worker._id, {
    rollupCursor: last === undefined ? after : commitTsOf(last),
    unrolledViews: isFull ? Math.max(1, (worker.unrolledViews ?? 0) - passed.length) : 0,
    rolledAt: Date.now(),
    rollDueAt: undefined,
    rollRun: undefined,
  });
  return { views: passed.length, isFull };
}

export function hasUnrolled(worker: Doc<"workers">): boolean {
  return (worker.unrolledViews ?? 0) > 0;
}

type Taken = { passed: Doc<"pageViews">[]; hours: Map<number, LoggedView[]> };

/** The rows from the front that fit into MAX_BATCH_HOURS, by hour; never half a commit, because the cursor could not say so. */
function takeHours(rows: readonly Doc<"pageViews">[], calendar: Calendar): Taken {
  const taken: Taken = { passed: [], hours: new Map() };
  for (const commit of commitsOf(rows)) {
    const views = commit.filter(isForRollUp).map(loggedViewOf);
    const starts = new Set(views.map(({ at }) => calendar.startOf("hour", at)));
    const fresh = [...starts].filter((startsAt) => !taken.hours.has(startsAt)).length;
    if (taken.hours.size > 0 && taken.hours.size + fresh > MAX_BATCH_HOURS) break;
    taken.passed.push(...commit);
    for (const view of views) {
      const startsAt = calendar.startOf("hour", view.at);
      const inHour = taken.hours.get(startsAt);
      if (inHour === undefined) taken.hours.set(startsAt, [view]);
      else inHour.push(view);
    }
  }
  return taken;
}

function isForRollUp(row: Doc<"pageViews">): boolean {
  return row.backfilled !== true && isInSums(row);
}

function commitsOf(rows: readonly Doc<"pageViews">[]): Doc<"pageViews">[][] {
  const commits: Doc<"pageViews">[][] = [];
  let commitTs: bigint | null = null;
  for (const row of rows) {
    if (commitTsOf(row) === commitTs) commits.at(-1)?.push(row);
    else commits.push([row]);
    commitTs = commitTsOf(row);
  }
  return commits;
}

async function addToHour(
  ctx: MutationCtx,
  site: string,
  { startsAt, views, calendar }: { startsAt: number; views: LoggedView[]; calendar: Calendar },
): Promise<void> {
  const before = await readHour(ctx, site, startsAt);
  await writeRollup(ctx, site, addViews(before, views, calendar));
}

/** A damaged hour begins anew instead of stalling all that follow; the nightly proof finds what it lacks, and a repair mends it. */
async function readHour(ctx: MutationCtx, site: string, startsAt: number): Promise<Rollup> {
  const empty = emptyRollup("hour", startsAt);
  try {
    return (await readRollup(ctx, site, { unit: "hour", startsAt })) ?? empty;
  } catch (error) {
    if (!(error instanceof RollupFormatError)) throw error;
    const hour = new Date(startsAt).toISOString();
    console.error(`The hour ${hour} of site "${site}" begins anew: ${error.message}`);
    return empty;
  }
}
