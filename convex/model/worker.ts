/** Owns: to come. */
import type { MutationCtx } from "../_generated/server.js";
export async function run(_ctx: MutationCtx, _a: { site: string; dueAt?: number }): Promise<null> {
  throw new Error("not built yet");
}
