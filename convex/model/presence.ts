/** Owns: to come. */
import type { MutationCtx } from "../_generated/server.js";
export async function heartbeat(
  _ctx: MutationCtx,
  _a: { sessionId: string; currentPath: string; site?: string },
): Promise<null> {
  throw new Error("not built yet");
}
export async function leave(
  _ctx: MutationCtx,
  _a: { sessionId: string; path?: string; eventId?: string; site?: string },
): Promise<null> {
  throw new Error("not built yet");
}
