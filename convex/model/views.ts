/** Owns: to come. */
import type { MutationCtx } from "../_generated/server.js";
import type { ViewOutcome } from "./shapes.ts";
export async function recordPageView(
  _ctx: MutationCtx,
  _a: {
    path: string;
    pageType: string;
    sessionId: string;
    site?: string;
    title?: string;
    eventId?: string;
  },
): Promise<ViewOutcome> {
  throw new Error("not built yet");
}
