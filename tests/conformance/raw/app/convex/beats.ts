/** Owns: what the cron calls, when a test has set TEST_BEAT. */
import { internalMutationGeneric as internalMutation } from "convex/server";

export const beat = internalMutation(async (ctx, { text }) => {
  if (process.env.TEST_BEAT === "on") await ctx.db.insert("notes", { text });
});
