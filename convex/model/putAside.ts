/**
 * Owns: putting a row of a log aside that cannot be counted, with its error, for an operator to see.
 * Not: finding it (halving.ts, events/drain.ts), what else follows, or trying it again (quarantine.ts).
 */
import { convexToJson } from "convex/values";
import type { MutationCtx } from "../_generated/server.js";
import type { LogRow } from "./log.ts";
import type { QuarantinedRow } from "./shapes.ts";

export async function putAside(
  ctx: MutationCtx,
  site: string,
  { table, row, error }: { table: QuarantinedRow["table"]; row: LogRow; error: string },
): Promise<void> {
  const json = JSON.stringify(convexToJson(row));
  await ctx.db.insert("quarantine", { site, table, row: json, error, quarantinedAt: Date.now() });
  console.error(
    `A row of ${table} of site "${site}" cannot be counted and was put aside: ${error}`,
  );
}
