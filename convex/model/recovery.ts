/**
 * Owns: counting a batch that throws: it is halved until the row that throws stands alone, which is put aside.
 * Not: the halving (halving.ts), or batches that do not throw (settling.ts).
 */
import { internal } from "../_generated/api.js";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx } from "../_generated/server.js";
import { countAllBut } from "./halving.ts";
import { keepPresence } from "./presence.ts";
import { putAside } from "./putAside.ts";
import { outcomeOf, passBatch, takeBatch } from "./settling.ts";
import type { BatchOutcome } from "./settling.ts";
import { ensureWorker } from "./waking.ts";

/** Rows of each log that are tried at once: halving them all reads each some seven times, far below a transaction's 4,096 ranges. */
const ROWS_PER_TRY = 50;

type Row =
  { table: "pageViews"; row: Doc<"pageViews"> } | { table: "presenceLog"; row: Doc<"presenceLog"> };

/** Counts the next rows, one by one where it must. Throws when none of many can be counted. */
export async function settleWithoutPoison(ctx: MutationCtx, site: string): Promise<BatchOutcome> {
  const worker = await ensureWorker(ctx, site);
  const batch = await takeBatch(ctx, worker, ROWS_PER_TRY);
  const rows: Row[] = [
    ...batch.views.map((row) => ({ table: "pageViews" as const, row })),
    ...batch.moves.map((row) => ({ table: "presenceLog" as const, row })),
  ];
  const poison = await countAllBut(site, rows, (some) => trySettle(ctx, site, some));
  for (const { row, error } of poison) await quarantine(ctx, site, { ...row, error });
  await passBatch(ctx, worker, batch);
  return outcomeOf(batch);
}

type Poison = Row & { error: string };

async function trySettle(ctx: MutationCtx, site: string, rows: readonly Row[]): Promise<void> {
  const views = rows.flatMap((found) => (found.table === "pageViews" ? [found.row._id] : []));
  const moves = rows.flatMap((found) => (found.table === "presenceLog" ? [found.row._id] : []));
  await ctx.runMutation(internal.worker.settle, { site, views, moves });
}

async function quarantine(ctx: MutationCtx, site: string, found: Poison): Promise<void> {
  await putAside(ctx, site, found);
  if (found.table === "pageViews") {
    await ctx.db.patch("pageViews", found.row._id, { quarantined: true });
    await keepPresence(ctx, site, found.row);
  } else {
    await ctx.db.delete("presenceLog", found.row._id);
  }
}
