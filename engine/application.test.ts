import { describe, expect, test } from "vitest";
import { STORES, TestEngine } from "./application/test-engine.helpers.ts";

const NOTES = {
  "schema.ts": `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({
      notes: defineTable({ author: v.string(), text: v.string() }).index("by_author", ["author"]),
    });`,
  "notes.ts": `
    import { mutationGeneric as mutation, queryGeneric as query } from "convex/server";
    import { v } from "convex/values";
    export const add = mutation({
      args: { author: v.string(), text: v.string() },
      returns: v.id("notes"),
      handler: (ctx, args) => ctx.db.insert("notes", args),
    });
    export const by = query({
      args: { author: v.string() },
      handler: async (ctx, { author }) =>
        (await ctx.db.query("notes").withIndex("by_author", (q) => q.eq("author", author)).collect()).map((n) => n.text),
    });`,
};

describe.each(Object.entries(STORES))("on %s storage", (_name, newStore) => {
  test("what a mutation wrote is what a query reads", async () => {
    const engine = await TestEngine.deployed(newStore()(), NOTES);
    await engine.mutation("notes:add", { author: "ann", text: "one" });
    await engine.mutation("notes:add", { author: "bob", text: "two" });
    expect(await engine.query("notes:by", { author: "ann" })).toEqual(["one"]);
  });
});
