/** Owns: who the caller is, and the environment. */
import {
  actionGeneric as action,
  anyApi,
  mutationGeneric as mutation,
  queryGeneric as query,
} from "convex/server";

const api: any = anyApi;
const atLoad = process.env.TEST_NAME ?? null;

export const asked = query((ctx) => ctx.auth.getUserIdentity());
export const written = mutation((ctx) => ctx.auth.getUserIdentity());
export const acted = action(async (ctx) => ({
  own: (await ctx.auth.getUserIdentity())?.subject ?? null,
  query: ((await ctx.runQuery(api.who.asked, {})) as any)?.subject ?? null,
  mutation: ((await ctx.runMutation(api.who.written, {})) as any)?.subject ?? null,
}));
export const subject = mutation(async (ctx, { text }) => {
  const identity = await ctx.auth.getUserIdentity();
  await ctx.db.insert("notes", { text: `${text} ${identity?.subject ?? "nobody"}` });
});
export const scheduled = mutation(async (ctx) => {
  await ctx.scheduler.runAfter(0, api.who.subject, { text: "scheduled by" });
});
export const variable = query(async () => process.env.TEST_NAME ?? null);
export const variableInAction = action(async () => process.env.TEST_NAME ?? null);
export const loaded = query(async () => atLoad);
