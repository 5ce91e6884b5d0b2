/** Owns: to come. */
import type { MutationCtx } from "../_generated/server.js";
import type { BackfillStatus } from "./shapes.ts";
export async function start(
  _ctx: MutationCtx,
  _a: { site?: string; restart?: boolean },
): Promise<BackfillStatus> {
  throw new Error("not built yet");
}
export async function runChunk(
  _ctx: MutationCtx,
  _a: { site?: string; chain: number },
): Promise<null> {
  throw new Error("not built yet");
}
export async function cancel(_ctx: MutationCtx, _a: { site?: string }): Promise<BackfillStatus> {
  throw new Error("not built yet");
}
