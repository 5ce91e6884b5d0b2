/**
 * Owns: the site's posts and pages as they are stored and read.
 * Not: where they come from (content/*.md), or how they look.
 */
import type { Infer } from "convex/values";
import type { Doc } from "../_generated/dataModel.js";
import type { QueryCtx } from "../_generated/server.js";
import type { ContentDocument, pageSummary, postSummary } from "./shapes.ts";

/** Documents of each kind that a list gives and a sync accepts: a hand-written site has far fewer. */
export const MAX_DOCUMENTS = 1_000;

/** Words that people read in a minute, the low end of what studies of prose on screens find. */
const WORDS_PER_MINUTE = 200;

export async function listPosts(ctx: QueryCtx): Promise<Infer<typeof postSummary>[]> {
  const rows = await ctx.db
    .query("posts")
    .withIndex("by_published_date", (q) => q.eq("published", true))
    .order("desc")
    .take(MAX_DOCUMENTS);
  return rows.map(({ slug, path, title, description, date, readMinutes }) => {
    return { slug, path, title, description, date, readMinutes };
  });
}

export async function listPages(ctx: QueryCtx): Promise<Infer<typeof pageSummary>[]> {
  const rows = await ctx.db
    .query("pages")
    .withIndex("by_published_order", (q) => q.eq("published", true))
    .take(MAX_DOCUMENTS);
  return rows.map(({ slug, path, title, description }) => ({ slug, path, title, description }));
}

export async function getDocument(
  ctx: QueryCtx,
  { kind, slug }: { kind: "post" | "page"; slug: string },
): Promise<ContentDocument | null> {
  const row = await findDocument(ctx, kind, slug);
  if (row === null || !row.published) return null;
  const body = (await findBody(ctx, kind, slug))?.body ?? "";
  const date = "date" in row ? row.date : null;
  const { path, title, description } = row;
  return { kind, slug, path, title, description, date, readMinutes: readMinutesOf(body), body };
}

/** Whole minutes that reading takes, at least 1. */
export function readMinutesOf(body: string): number {
  const words = body.split(/\s+/).filter((word) => word !== "").length;
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE));
}

async function findDocument(
  ctx: QueryCtx,
  kind: "post" | "page",
  slug: string,
): Promise<Doc<"posts"> | Doc<"pages"> | null> {
  switch (kind) {
    case "post":
      return await ctx.db
        .query("posts")
        .withIndex("by_slug", (q) => q.eq("slug", slug))
        .first();
    case "page":
      return await ctx.db
        .query("pages")
        .withIndex("by_slug", (q) => q.eq("slug", slug))
        .first();
    default:
      return kind satisfies never;
  }
}

export async function findBody(
  ctx: QueryCtx,
  kind: "post" | "page",
  slug: string,
): Promise<Doc<"bodies"> | null> {
  return await ctx.db
    .query("bodies")
    .withIndex("by_kind_slug", (q) => q.eq("kind", kind).eq("slug", slug))
    .first();
}
