/** Owns: to come. */
import type { MutationCtx } from "../_generated/server.js";
export async function watch(
  _ctx: MutationCtx,
  _a: { site?: string; watcherId: string },
): Promise<null> {
  throw new Error("not built yet");
}
