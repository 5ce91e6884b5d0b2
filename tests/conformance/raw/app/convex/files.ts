/** Owns: ctx.storage in every kind of function, and of a component. */
import {
  actionGeneric as action,
  anyApi,
  componentsGeneric,
  mutationGeneric as mutation,
  queryGeneric as query,
} from "convex/server";
import { v } from "convex/values";

const api: any = anyApi;
const components: any = componentsGeneric();
const args = { id: v.id("_storage") };
const withText = { text: v.string(), type: v.optional(v.string()) };
const blobOf = ({ text, type }: any) => new Blob([text], type === undefined ? {} : { type });
const told = async (blob: Blob | null) =>
  blob === null ? null : { text: await blob.text(), type: blob.type, size: blob.size };

export const store = action({
  args: withText,
  handler: (ctx, given) => ctx.storage.store(blobOf(given)),
});
export const read = action({
  args,
  handler: async (ctx, { id }) => told(await ctx.storage.get(id)),
});
export const inAction = action(async (ctx) => {
  const id = await ctx.storage.store(blobOf({ text: "for a moment" }));
  const before = typeof (await ctx.storage.getUrl(id));
  await ctx.storage.delete(id);
  return {
    before,
    after: await ctx.storage.getUrl(id),
    uploadUrl: await ctx.storage.generateUploadUrl(),
  };
});

export const row = query({ args, handler: (ctx, { id }) => ctx.db.system.get(id) });
export const rowOf = query({
  args,
  handler: (ctx, { id }) => (ctx.db.system as any).get("_storage", id),
});
export const rows = query((ctx) => ctx.db.system.query("_storage").collect());
export const newest = query((ctx) => ctx.db.system.query("_storage").order("desc").first());
export const url = query({ args, handler: (ctx, { id }) => ctx.storage.getUrl(id) });
export const normalized = query({
  args: { text: v.string() },
  handler: (ctx, { text }) => ctx.db.system.normalizeId("_storage", text),
});

export const uploadUrl = mutation((ctx) => ctx.storage.generateUploadUrl());
export const remove = mutation({ args, handler: (ctx, { id }) => ctx.storage.delete(id) });
export const removeAndFail = mutation({
  args,
  handler: async (ctx, { id }) => {
    await ctx.storage.delete(id);
    throw new Error(`inside it is ${await ctx.storage.getUrl(id)}`);
  },
});
export const removeInChild = mutation({
  args,
  handler: async (ctx, { id }) => {
    await ctx.runMutation(api.files.removeAndFail, { id }).catch(() => undefined);
    return told(await ctx.storage.get(id));
  },
});
export const write = mutation({
  args: {},
  handler: (ctx) => (ctx.db as any).insert("_storage", { size: 1, sha256: "x" }),
});

export const storeInMutation = mutation({
  args: { ...withText, sha256: v.optional(v.string()), fails: v.optional(v.boolean()) },
  handler: async (ctx, { fails, sha256, ...given }) => {
    const id = await ctx.storage.store(blobOf(given), sha256 === undefined ? {} : { sha256 });
    if (fails === true) throw new Error("after storing");
    return { id, read: await told(await ctx.storage.get(id)) };
  },
});
export const storeInChild = mutation(async (ctx) => {
  await ctx
    .runMutation(api.files.storeInMutation, { text: "lost", fails: true })
    .catch(() => undefined);
  const { id } = await ctx.runMutation(api.files.storeInMutation, { text: "kept" });
  await ctx.storage.get(id);
  return ctx.meta.getTransactionMetrics();
});
export const storeAndRemove = mutation(async (ctx) => {
  const id = await ctx.storage.store(blobOf({ text: "short-lived" }));
  await ctx.storage.delete(id);
  return { metrics: await ctx.meta.getTransactionMetrics(), read: await ctx.storage.get(id) };
});
export const readInMutation = mutation({
  args,
  handler: async (ctx, { id }) => {
    await ctx.storage.get(id);
    const read = await told(await ctx.storage.get(id));
    return { read, metrics: await ctx.meta.getTransactionMetrics() };
  },
});
export const storeMany = mutation({
  args: { count: v.number() },
  handler: async (ctx, { count }) => {
    for (let i = 0; i < count; i++) await ctx.storage.store(blobOf({ text: String(i) }));
  },
});

export const ofComponent = action(async (ctx) => {
  const id = await ctx.runAction(components.shelf.papers.store, { text: "inside" });
  return {
    there: await ctx.runQuery(components.shelf.papers.seen, { id }),
    here: (await ctx.runQuery(api.files.rows, {})).length,
  };
});
