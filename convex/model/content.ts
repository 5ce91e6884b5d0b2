/** Owns: to come. */
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import type { Infer } from "convex/values";
import type {
  ContentDocument,
  ContentSynced,
  PageInput,
  PostInput,
  pageSummary,
  postSummary,
} from "./shapes.ts";
export async function listPosts(_ctx: QueryCtx): Promise<Infer<typeof postSummary>[]> {
  throw new Error("not built yet");
}
export async function listPages(_ctx: QueryCtx): Promise<Infer<typeof pageSummary>[]> {
  throw new Error("not built yet");
}
export async function getDocument(
  _ctx: QueryCtx,
  _a: { kind: "post" | "page"; slug: string },
): Promise<ContentDocument | null> {
  throw new Error("not built yet");
}
export async function sync(
  _ctx: MutationCtx,
  _a: { posts: PostInput[]; pages: PageInput[] },
): Promise<ContentSynced> {
  throw new Error("not built yet");
}
