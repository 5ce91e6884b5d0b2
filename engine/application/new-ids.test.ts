import { expect, test } from "vitest";
import { TestEngine, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "schema.ts": `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({ things: defineTable({ rank: v.number() }) });`,
  "things.ts": `
    import { mutationGeneric as mutation } from "convex/server";
    export const add = mutation(async (ctx, { docs }) => {
      const ids = [];
      for (const doc of docs) ids.push(await ctx.db.insert("things", doc));
      return ids;
    });`,
};

onEachStore((newStore) => {
  test("ids that are made one after the other stand in that order, and cannot be guessed from each other", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const docs = Array.from({ length: 50 }, (_, rank) => ({ rank }));
    const ids = (await engine.mutation("things:add", { docs })) as string[];
    expect([...ids].sort()).toEqual(ids);
    const random = new Set(ids.map((id) => id.slice(-16)));
    expect(random.size).toBe(50);
  });
});
