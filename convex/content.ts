/** Owns: the doors of the site's own content. Not: the rules (model/content.ts). */
import { v } from "convex/values";
import { internalMutation, query } from "./_generated/server.js";
import * as content from "./model/content.ts";
import * as contentSync from "./model/contentSync.ts";
import {
  contentDocument,
  contentSynced,
  pageInput,
  pageSummary,
  postInput,
  postSummary,
} from "./model/shapes.ts";
import { contentKind } from "./schema.ts";

/** Published posts, the newest first, at most 1,000; no body is read. */
export const listPosts = query({
  args: {},
  returns: v.array(postSummary),
  handler: (ctx) => content.listPosts(ctx),
});

/** Published pages in their order, at most 1,000; no body is read. */
export const listPages = query({
  args: {},
  returns: v.array(pageSummary),
  handler: (ctx) => content.listPages(ctx),
});

/** A published post or page with its Markdown; null when there is none. */
export const getDocument = query({
  args: { kind: contentKind, slug: v.string() },
  returns: v.union(contentDocument, v.null()),
  handler: (ctx, args) => content.getDocument(ctx, args),
});

/** Makes the stored content equal to what is given: writes what changed, removes what is gone. Idempotent. Throws `invalid_content`. */
export const sync = internalMutation({
  args: { posts: v.array(postInput), pages: v.array(pageInput) },
  returns: contentSynced,
  handler: (ctx, args) => contentSync.sync(ctx, args),
});
