/**
 * Owns: a batch of engagement that throws: what can be counted is, and the rows that cannot are put aside, or tried again.
 * Not: the halving (halving.ts), or batches that do not throw (roll.ts).
 */
import { internal } from "../../_generated/api.js";
import type { MutationCtx } from "../../_generated/server.js";
import { countAllBut } from "../halving.ts";
import { putAside } from "../putAside.ts";
import { ensureWorker } from "../waking.ts";
import { passRows, readNext } from "./roll.ts";
import type { EngagementBatch } from "./roll.ts";

/** Rows that are tried at once: halving them all reads each some seven times. */
const REPORTS_PER_TRY = 50;

/** Throws when none of many can be counted: then nothing is put aside, and the cursor stays. */
export async function rollWithoutPoison(ctx: MutationCtx, site: string): Promise<EngagementBatch> {
  const worker = await ensureWorker(ctx, site);
  const rows = await readNext(ctx, worker, REPORTS_PER_TRY);
  const poison = await countAllBut(site, rows, async (some) => {
    const ids = some.map(({ _id }) => _id);
    await ctx.runMutation(internal.worker.rollEngagementRows, { site, ids });
  });
  for (const { row, error } of poison) {
    await putAside(ctx, site, { table: "engagements", row, error });
    await ctx.db.patch("engagements", row._id, { quarantined: true });
  }
  const isFull = rows.length >= REPORTS_PER_TRY;
  await passRows(ctx, worker, rows, isFull);
  return { rows: rows.length, isFull };
}

/** Hands a row that was put aside to the worker again. The differences of a view add up in any order. */
export async function retryEngagement(ctx: MutationCtx, stored: { _id?: unknown }): Promise<void> {
  const id = ctx.db.normalizeId("engagements", String(stored._id));
  const row = id === null ? null : await ctx.db.get("engagements", id);
  if (row === null) return;
  const { commitTs } = ctx.db.vars;
  await ctx.db.patch("engagements", row._id, { commitTs, quarantined: undefined });
}
