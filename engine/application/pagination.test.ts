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
    export const remove = mutation(async (ctx, { n }) => {
      const row = await ctx.db.query("rows").withIndex("by_n", (q) => q.eq("n", n)).unique();
      await ctx.db.delete("rows", row._id);
    });
    const slim = (page) => ({ ...page, page: page.page.map((row) => row.n) });
    export const page = query(async (ctx, { order, ...options }) =>
      slim(await ctx.db.query("rows").withIndex("by_n").order(order ?? "asc").paginate(options)));
    export const even = query(async (ctx, options) =>
      slim(await ctx.db.query("rows").withIndex("by_n").filter((q) => q.eq(q.mod(q.field("n"), 2), 0)).paginate(options)));
    export const above = query(async (ctx, { floor, ...options }) =>
      slim(await ctx.db.query("rows").withIndex("by_n", (q) => q.gt("n", floor)).paginate(options)));
    export const twice = query(async (ctx) => {
      const options = { cursor: null, numItems: 1 };
      await ctx.db.query("rows").paginate(options);
      await ctx.db.query("rows").paginate(options);
    });`,
};

type Page = {
  page: number[];
  isDone: boolean;
  continueCursor: string;
  splitCursor: string | null;
  pageStatus: string | null;
};

async function rows(
  storage: Parameters<typeof TestEngine.deployed>[0],
  ns: number[],
): Promise<TestEngine> {
  const engine = await TestEngine.deployed(storage, APP);
  await engine.mutation("rows:add", { ns });
  return engine;
}

onEachStore((newStore) => {
  test.each(["asc", "desc"])(
    "pages in %s order meet without a gap or an overlap",
    async (order) => {
      const engine = await rows(newStore()(), [1, 2, 3, 4, 5]);
      const found: number[] = [];
      let cursor: string | null = null;
      let pages = 0;
      for (let isDone = false; !isDone; pages++) {
        const page = (await engine.query("rows:page", { order, cursor, numItems: 2 })) as Page;
        found.push(...page.page);
        ({ continueCursor: cursor, isDone } = page);
      }
      expect(found).toEqual(order === "asc" ? [1, 2, 3, 4, 5] : [5, 4, 3, 2, 1]);
      expect(pages).toBe(3);
      expect(await engine.query("rows:page", { order, cursor, numItems: 2 })).toMatchObject({
        page: [],
        isDone: true,
      });
    },
  );

  test("a page with an end cursor holds whatever lies in its range, however much it became", async () => {
    const engine = await rows(newStore()(), [10, 20, 30, 40]);
    const first = (await engine.query("rows:page", { cursor: null, numItems: 2 })) as Page;
    await engine.mutation("rows:add", { ns: [11, 12, 25] });
    const again = { cursor: null, endCursor: first.continueCursor, numItems: 2 };
    expect(await engine.query("rows:page", again)).toMatchObject({
      page: [10, 11, 12, 20],
      continueCursor: first.continueCursor,
      isDone: false,
    });
    const next = { cursor: first.continueCursor, numItems: 2 };
    expect(await engine.query("rows:page", next)).toMatchObject({ page: [25, 30] });
    await engine.mutation("rows:remove", { n: 20 });
    expect(await engine.query("rows:page", again)).toMatchObject({ page: [10, 11, 12] });
  });

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

  test("a split cursor parts a page in two that together are the same", async () => {
    const engine = await rows(newStore()(), [1, 2, 3, 4, 5, 6]);
    const whole = (await engine.query("rows:page", { cursor: null, numItems: 6 })) as Page;
    const { splitCursor, continueCursor } = whole;
    const left = { cursor: null, endCursor: splitCursor, numItems: 6 };
    const right = { cursor: splitCursor, endCursor: continueCursor, numItems: 6 };
    const halves = [
      await engine.query("rows:page", left),
      await engine.query("rows:page", right),
    ] as Page[];
    expect(halves.flatMap((half) => half.page)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(halves.every((half) => half.page.length > 0)).toBe(true);
  });

  test("rows that a filter drops count as read, and the page says when it had to stop early", async () => {
    const engine = await rows(newStore()(), [1, 3, 5, 6, 8]);
    const first = (await engine.query("rows:even", {
      cursor: null,
      numItems: 2,
      maximumRowsRead: 3,
    })) as Page;
    expect(first).toMatchObject({ page: [], isDone: false, pageStatus: "SplitRequired" });
    const rest = { cursor: first.continueCursor, numItems: 2, maximumRowsRead: 3 };
    expect(await engine.query("rows:even", rest)).toMatchObject({ page: [6, 8] });
  });

  test("odd requests are refused", async () => {
    const engine = await rows(newStore()(), [1, 2, 3]);
    const says = async (
      path: string,
      options: Record<string, number | string | null>,
    ): Promise<string> => (await engine.failure("query", path, options)).message;
    expect(await says("rows:twice", {})).toContain("ran multiple paginated queries");
    expect(await says("rows:page", { cursor: null, numItems: 0 })).toContain(
      "Must request at least 1 document",
    );
    const { continueCursor } = (await engine.query("rows:page", {
      cursor: null,
      numItems: 1,
    })) as Page;
    expect(await says("rows:above", { floor: 1, cursor: continueCursor, numItems: 1 })).toContain(
      "InvalidCursor",
    );
    expect(await says("rows:page", { cursor: "garbage", numItems: 1 })).toContain("InvalidCursor");
    expect(await says("rows:page", { numItems: 1 })).toContain("`options.cursor`");
    expect(await says("rows:page", { cursor: 5, numItems: 1 })).toContain("`options.cursor`");
    const badEnd = { cursor: null, endCursor: 5, numItems: 1 };
    expect(await says("rows:page", badEnd)).toContain("`options.endCursor`");
  });
});
