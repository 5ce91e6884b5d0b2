/**
 * Owns: whether a scheduled call is still to come, and that it does not.
 * Not: what to do when it is not (its callers).
 *
 * Rows that say "due" outlive the calls that they announce: a call can fail or be cancelled, and a snapshot that is
 * imported elsewhere brings the rows without the calls. So the row keeps the call's id, and the call itself is asked.
 */
import type { MutationCtx, QueryCtx } from "../_generated/server.js";

/** `call` is an id of `_scheduled_functions`, perhaps of another deployment's, or undefined. */
export async function isToCome(ctx: QueryCtx, call: string | undefined): Promise<boolean> {
  if (call === undefined) return false;
  const id = ctx.db.system.normalizeId("_scheduled_functions", call);
  if (id === null) return false;
  const state = (await ctx.db.system.get("_scheduled_functions", id))?.state.kind;
  return state === "pending" || state === "inProgress";
}

/** Takes back a call that is still to come; any other is left alone. */
export async function cancelCall(ctx: MutationCtx, call: string | undefined): Promise<void> {
  if (call === undefined || !(await isToCome(ctx, call))) return;
  const id = ctx.db.system.normalizeId("_scheduled_functions", call);
  if (id !== null) await ctx.scheduler.cancel(id);
}

/** The newest calls that are looked through: nothing is scheduled more than minutes ahead, so what is to come is among them. */
const NEWEST_CALLS = 2_000;

/** Takes back every call of a site that is still to come, also those that no row announces. */
export async function cancelCallsOf(ctx: MutationCtx, site: string): Promise<void> {
  const calls = await ctx.db.system.query("_scheduled_functions").order("desc").take(NEWEST_CALLS);
  for (const { _id, args, state } of calls) {
    if (state.kind === "pending" && isOfSite(args, site)) await ctx.scheduler.cancel(_id);
  }
}

function isOfSite([first]: readonly unknown[], site: string): boolean {
  return typeof first === "object" && first !== null && "site" in first && first.site === site;
}
