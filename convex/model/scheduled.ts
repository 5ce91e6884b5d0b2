/**
 * Owns: whether a scheduled call is still to come.
 * Not: what to do when it is not (its callers).
 *
 * Rows that say "due" outlive the calls that they announce: a call can fail or be cancelled, and a snapshot that is
 * imported elsewhere brings the rows without the calls. So the row keeps the call's id, and the call itself is asked.
 */
import type { QueryCtx } from "../_generated/server.js";

/** `call` is an id of `_scheduled_functions`, perhaps of another deployment's, or undefined. */
export async function isToCome(ctx: QueryCtx, call: string | undefined): Promise<boolean> {
  if (call === undefined) return false;
  const id = ctx.db.system.normalizeId("_scheduled_functions", call);
  if (id === null) return false;
  const state = (await ctx.db.system.get("_scheduled_functions", id))?.state.kind;
  return state === "pending" || state === "inProgress";
}
