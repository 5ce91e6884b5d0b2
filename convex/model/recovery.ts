/**
 * Owns: counting a batch that throws: it is halved until the row that throws stands alone, which is put aside.
 * Not: batches that do not throw (settling.ts).
 */
import { convexToJson } from "convex/values";
import { internal } from "../_generated/api.js";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx } from "../_generated/server.js";
import { logMove } from "./presence.ts";
import { outcomeOf, passBatch, readBatch } from "./settling.ts";
import type { BatchOutcome } from "./settling.ts";
import { movedFromOf } from "./tally.ts";
import { ensureWorker } from "./waking.ts";

/** When a batch of more rows than this has none that can be counted, the fault is ours, not theirs: nothing is put aside then. */
const MAX_ALL_POISON = 8;

/** Rows of each log that are tried at once: halving them all reads each some seven times, far below a transaction's 4,096 ranges. */
const ROWS_PER_TRY = 50;

type Row =
  { table: "pageViews"; row: Doc<"pageViews"> } | { table: "presenceLog"; row: Doc<"presenceLog"> };

/** Counts the next rows, one by one where it must. Throws when none of many can be counted. */
export async function settleWithoutPoison(ctx: MutationCtx, site: string): Promise<BatchOutcome> {
  const worker = await ensureWorker(ctx, site);
  const batch = await readBatch(ctx, worker, ROWS_PER_TRY);
  const rows: Row[] = [
    ...batch.views.map((row) => ({ table: "pageViews" as const, row })),
    ...batch.moves.map((row) => ({ table: "presenceLog" as const, row })),
  ];
  const poison = await settleHalves(ctx, site, rows);
  if (poison.length > MAX_ALL_POISON && poison.length === rows.length) {
    throw new Error(
      `None of the next ${rows.length} rows of site "${site}" can be counted, so none is put aside. First error: ${poison[0]?.error ?? ""}`,
    );
  }
  for (const found of poison) await quarantine(ctx, site, found);
  await passBatch(ctx, worker, batch);
  return outcomeOf(batch);
}

type Poison = Row & { error: string };

/** Settles what can be settled; gives back the rows that throw when they are alone. */
async function settleHalves(ctx: MutationCtx, site: string, rows: Row[]): Promise<Poison[]> {
  if (rows.length === 0) return [];
  const error = await trySettle(ctx, site, rows);
  if (error === null) return [];
  const [only] = rows;
  if (only !== undefined && rows.length === 1) return [{ ...only, error }];
  const middle = Math.ceil(rows.length / 2);
  const first = await settleHalves(ctx, site, rows.slice(0, middle));
  const second = await settleHalves(ctx, site, rows.slice(middle));
  return [...first, ...second];
}

async function trySettle(ctx: MutationCtx, site: string, rows: Row[]): Promise<string | null> {
  const views = rows.flatMap((found) => (found.table === "pageViews" ? [found.row._id] : []));
  const moves = rows.flatMap((found) => (found.table === "presenceLog" ? [found.row._id] : []));
  try {
    await ctx.runMutation(internal.worker.settle, { site, views, moves });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function quarantine(ctx: MutationCtx, site: string, found: Poison): Promise<void> {
  const row = JSON.stringify(convexToJson(found.row));
  const { table, error } = found;
  await ctx.db.insert("quarantine", { site, table, row, error, quarantinedAt: Date.now() });
  console.error(
    `A row of ${table} of site "${site}" cannot be counted and was put aside: ${error}`,
  );
  if (found.table === "pageViews") {
    await ctx.db.patch("pageViews", found.row._id, { quarantined: true });
    await keepPresence(ctx, site, found.row);
  } else {
    await ctx.db.delete("presenceLog", found.row._id);
  }
}

/** The view is not counted, but its session is online: the worker must hear of it, or its leave would count alone. */
async function keepPresence(ctx: MutationCtx, site: string, view: Doc<"pageViews">): Promise<void> {
  const from = movedFromOf(view);
  if (view.backfilled === true || from === view.path) return;
  await logMove(ctx, site, { from, to: view.path, sessions: 1 });
}
