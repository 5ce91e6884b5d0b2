/** Owns: to come. */
import type { MutationCtx } from "../_generated/server.js";
export async function ensureDefault(
  _ctx: MutationCtx,
  _a: { name?: string; timeZone?: string },
): Promise<{ slug: string; name: string; timeZone: string }> {
  throw new Error("not built yet");
}
