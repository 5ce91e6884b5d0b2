import { expect, test } from "vitest";
import { TestEngine, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "schema.ts": `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({ rows: defineTable({ n: v.number() }).index("by_n", ["n"]) });`,
  "rows.ts": `
    import { mutationGeneric as mutation, queryGeneric as query } from "convex/server";
    export const add = mutation(async (ctx, { ns }) => { for (const n of ns) await ctx.db.insert("rows", { n }); });
    const slim = (page) => ({ ...page, page: page.page.map((row) => row.n) });
    export const page = query(async (ctx, options) =>
      slim(await ctx.db.query("rows").withIndex("by_n").paginate(options)));`,
};

async function rows(
  storage: Parameters<typeof TestEngine.deployed>[0],
  ns: number[],
): Promise<TestEngine> {
  const engine = await TestEngine.deployed(storage, APP);
  await engine.mutation("rows:add", { ns });
  return engine;
}

// What pages hold is in tests/conformance/raw/reading.ts and pages.ts; here is what no official client sends.
onEachStore((newStore) => {
  test("a watched page keeps the end that it was first given", async () => {
    const engine = await rows(newStore()(), [10, 20, 30]);
    const live = engine.watch("rows:page", { cursor: null, numItems: 2 });
    expect(await engine.seen(live)).toMatchObject({ page: [10, 20] });
    await engine.mutation("rows:add", { ns: [15] });
    expect(await engine.seen(live)).toMatchObject({ page: [10, 15, 20], isDone: false });
    const { results } = await engine.application.live.evaluate([live]);
    const journal = results[0]?.ok === true ? results[0].journal : null;
    const resumed = engine.watch("rows:page", { cursor: null, numItems: 2 }, journal);
    live.release();
    await engine.mutation("rows:add", { ns: [16] });
    expect(await engine.seen(resumed)).toMatchObject({ page: [10, 15, 16, 20] });
  });

  test.each(["garbage", "null", "[]", '{"endCursor":5}'])(
    "the journal %s pins nothing, and is no failure of the engine",
    async (journal) => {
      const engine = await rows(newStore()(), [10, 20, 30]);
      const live = engine.watch("rows:page", { cursor: null, numItems: 2 }, journal);
      expect(await engine.seen(live)).toMatchObject({ page: [10, 20], isDone: false });
    },
  );

  test("cursors that are none are refused by name", async () => {
    const engine = await rows(newStore()(), [1, 2, 3]);
    const says = async (options: Record<string, number | string | null>): Promise<string> =>
      (await engine.failure("query", "rows:page", options)).message;
    expect(await says({ cursor: "garbage", numItems: 1 })).toContain("InvalidCursor");
    expect(await says({ numItems: 1 })).toContain("`options.cursor`");
    expect(await says({ cursor: 5, numItems: 1 })).toContain("`options.cursor`");
    const badEnd = { cursor: null, endCursor: 5, numItems: 1 };
    expect(await says(badEnd)).toContain("`options.endCursor`");
  });
});
