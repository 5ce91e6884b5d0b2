/** Owns: to come. */
import type { ActionCtx } from "../_generated/server.js";
export async function receive(_ctx: ActionCtx, _r: Request): Promise<Response> {
  throw new Error("not built yet");
}
export function preflight(): Response {
  throw new Error("not built yet");
}
