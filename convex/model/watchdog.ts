/** Owns: to come. */
import type { MutationCtx } from "../_generated/server.js";
export async function wakeOverdue(_ctx: MutationCtx): Promise<null> {
  throw new Error("not built yet");
}
export async function pruneFilteredHits(_ctx: MutationCtx): Promise<null> {
  throw new Error("not built yet");
}
