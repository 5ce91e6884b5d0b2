/**
 * Owns: making the stored posts and pages equal to what is given, and the counts and titles that follow from them.
 * Not: reading them (content.ts).
 */
import { normalisePath } from "../../domain/path.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx } from "../_generated/server.js";
import { callerError } from "../errors.ts";
import { findBody, MAX_DOCUMENTS, readMinutesOf } from "./content.ts";
import { findPath } from "./paths.ts";
import type { ContentSynced, PageInput, PostInput } from "./shapes.ts";
import { DEFAULT_SITE } from "./sites.ts";

type Kind = "post" | "page";
type Fields<Table extends "posts" | "pages"> = Omit<Doc<Table>, "_id" | "_creationTime">;

/** A document to be stored: its row without the body, and the body. */
type Wanted =
  | { kind: "post"; fields: Fields<"posts">; body: string }
  | { kind: "page"; fields: Fields<"pages">; body: string };
type Stored = { kind: "post"; row: Doc<"posts"> } | { kind: "page"; row: Doc<"pages"> };

export async function sync(
  ctx: MutationCtx,
  { posts, pages }: { posts: PostInput[]; pages: PageInput[] },
): Promise<ContentSynced> {
  assertComplete("post", posts);
  assertComplete("page", pages);
  const wanted: Wanted[] = [...posts.map(wantPost), ...pages.map(wantPage)];
  const stored = await readStored(ctx);
  const slugs = new Set(wanted.map(({ kind, fields }) => keyOf(kind, fields.slug)));
  const gone = [...stored.values()].filter(({ kind, row }) => !slugs.has(keyOf(kind, row.slug)));
  for (const document of gone) await remove(ctx, document);
  let written = 0;
  for (const document of wanted) {
    const before = stored.get(keyOf(document.kind, document.fields.slug)) ?? null;
    if (await store(ctx, document, before)) written += 1;
  }
  const publishedPosts = wanted.filter(({ kind, fields }) => kind === "post" && fields.published);
  const publishedPages = wanted.filter(({ kind, fields }) => kind === "page" && fields.published);
  await storeCounts(ctx, { posts: publishedPosts.length, pages: publishedPages.length });
  return {
    written,
    removed: gone.length,
    unchanged: wanted.length - written,
    publishedPosts: publishedPosts.length,
    publishedPages: publishedPages.length,
  };
}

function assertComplete(kind: Kind, documents: readonly { slug: string; title: string }[]): void {
  if (documents.length > MAX_DOCUMENTS) {
    throw callerError(
      "invalid_content",
      `${documents.length} documents of kind ${kind}; at most ${MAX_DOCUMENTS} can be synced.`,
    );
  }
  const seen = new Set<string>();
  for (const { slug, title } of documents) {
    if (slug === "" || title === "") {
      throw callerError(
        "invalid_content",
        `A ${kind} has no slug or no title ("${slug || title}").`,
      );
    }
    if (seen.has(slug)) {
      throw callerError(
        "invalid_content",
        `Two documents of kind ${kind} have the slug "${slug}".`,
      );
    }
    seen.add(slug);
  }
}

function wantPost({ body, ...post }: PostInput): Wanted {
  const readMinutes = post.readMinutes ?? readMinutesOf(body);
  const path = normalisePath(post.path);
  return {
    kind: "post",
    body,
    fields: { ...post, path, readMinutes, published: post.published ?? true },
  };
}

function wantPage({ body, ...page }: PageInput, order: number): Wanted {
  const path = normalisePath(page.path);
  return {
    kind: "page",
    body,
    fields: { ...page, path, order, published: page.published ?? true },
  };
}

function keyOf(kind: Kind, slug: string): string {
  return JSON.stringify([kind, slug]);
}

async function readStored(ctx: MutationCtx): Promise<Map<string, Stored>> {
  const posts = await ctx.db.query("posts").withIndex("by_slug").take(MAX_DOCUMENTS);
  const pages = await ctx.db.query("pages").withIndex("by_slug").take(MAX_DOCUMENTS);
  const all: Stored[] = [
    ...posts.map((row) => ({ kind: "post" as const, row })),
    ...pages.map((row) => ({ kind: "page" as const, row })),
  ];
  return new Map(all.map((stored) => [keyOf(stored.kind, stored.row.slug), stored]));
}

/** Returns whether anything had to be written. */
async function store(ctx: MutationCtx, document: Wanted, before: Stored | null): Promise<boolean> {
  const { kind, fields, body } = document;
  const isRowNew = before === null || !isSame(before.row, fields);
  if (isRowNew) {
    if (before !== null) await storeTitle(ctx, before.row.path, null);
    await storeRow(ctx, document, before);
    await storeTitle(ctx, fields.path, fields);
  }
  const isBodyNew = await storeBody(ctx, kind, fields.slug, body);
  return isRowNew || isBodyNew;
}

async function storeRow(ctx: MutationCtx, document: Wanted, before: Stored | null): Promise<void> {
  if (document.kind === "post") {
    if (before?.kind === "post") await ctx.db.replace("posts", before.row._id, document.fields);
    else await ctx.db.insert("posts", document.fields);
  } else if (before?.kind === "page") {
    await ctx.db.replace("pages", before.row._id, document.fields);
  } else {
    await ctx.db.insert("pages", document.fields);
  }
}

function isSame(row: Doc<"posts"> | Doc<"pages">, fields: Wanted["fields"]): boolean {
  const stored: Record<string, unknown> = row;
  return Object.entries(fields).every(([name, value]) => stored[name] === value);
}

async function storeBody(
  ctx: MutationCtx,
  kind: Kind,
  slug: string,
  body: string,
): Promise<boolean> {
  const row = await findBody(ctx, kind, slug);
  if (row?.body === body) return false;
  if (row === null) await ctx.db.insert("bodies", { kind, slug, body });
  else await ctx.db.patch("bodies", row._id, { body });
  return true;
}

async function remove(ctx: MutationCtx, stored: Stored): Promise<void> {
  const { slug, path } = stored.row;
  if (stored.kind === "post") await ctx.db.delete("posts", stored.row._id);
  else await ctx.db.delete("pages", stored.row._id);
  await storeTitle(ctx, path, null);
  const body = await findBody(ctx, stored.kind, slug);
  if (body !== null) await ctx.db.delete("bodies", body._id);
}

/** The statistics show a path under the title of what is there; a path without views has a row for it in advance. */
async function storeTitle(
  ctx: MutationCtx,
  path: string,
  content: { title: string } | null,
): Promise<void> {
  const row = await findPath(ctx, DEFAULT_SITE, path);
  const contentTitle = content?.title;
  if (row !== null) await ctx.db.patch("paths", row._id, { contentTitle });
  else if (contentTitle !== undefined) {
    const counts = { pageType: "page", views: 0, online: 0 };
    await ctx.db.insert("paths", { site: DEFAULT_SITE, path, contentTitle, ...counts });
  }
}

async function storeCounts(
  ctx: MutationCtx,
  counts: { posts: number; pages: number },
): Promise<void> {
  const row = await ctx.db.query("contentCounts").first();
  if (row === null) await ctx.db.insert("contentCounts", counts);
  else if (row.posts !== counts.posts || row.pages !== counts.pages) {
    await ctx.db.patch("contentCounts", row._id, counts);
  }
}
