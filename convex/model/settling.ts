/** Owns: to come. */
import type { MutationCtx } from "../_generated/server.js";
import type { Id } from "../_generated/dataModel.js";
export async function settleRows(
  _ctx: MutationCtx,
  _a: { site: string; views: Id<"pageViews">[]; moves: Id<"presenceLog">[] },
): Promise<null> {
  throw new Error("not built yet");
}
