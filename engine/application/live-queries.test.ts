import { expect, test } from "vitest";
import { ADMIN, TestEngine, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "schema.ts": `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({
      rows: defineTable({ group: v.string(), n: v.number(), note: v.optional(v.string()) }).index("by_group", ["group", "n"]),
    });`,
  "rows.ts": `
    import { mutationGeneric as mutation, queryGeneric as query } from "convex/server";
    export const add = mutation((ctx, row) => ctx.db.insert("rows", row));
    export const note = mutation(async (ctx, { id, note }) => { await ctx.db.patch("rows", id, { note }); });
    export const total = query(async (ctx, { group }) => {
      console.log("ran");
      const rows = await ctx.db.query("rows").withIndex("by_group", (q) => q.eq("group", group)).collect();
      return rows.reduce((sum, row) => sum + row.n, 0);
    });
    export const notes = query(async (ctx, { group }) =>
      (await ctx.db.query("rows").withIndex("by_group", (q) => q.eq("group", group)).collect()).map((row) => row.note ?? null));
    export const smallest = query(async (ctx, { group }) =>
      (await ctx.db.query("rows").withIndex("by_group", (q) => q.eq("group", group)).first())?.n ?? null);
    export const newTable = query(async (ctx) => (await ctx.db.query("later").collect()).length);
    export const addLater = mutation((ctx) => ctx.db.insert("later", {}));
    export const setting = query(async () => process.env.SETTING ?? null);`,
};

/** How often the query was told to be stale, counted. */
function countStale(live: { onStale(listener: () => void): () => void }): () => number {
  let count = 0;
  live.onStale(() => count++);
  return () => count;
}

onEachStore((newStore) => {
  test("a commit makes the queries stale whose ranges it touches, and no others", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const [a, b] = [
      engine.watch("rows:total", { group: "a" }),
      engine.watch("rows:total", { group: "b" }),
    ];
    const [staleA, staleB] = [countStale(a), countStale(b)];
    expect(await engine.seen(a)).toBe(0);
    expect(await engine.seen(b)).toBe(0);
    await engine.mutation("rows:add", { group: "a", n: 5 });
    await engine.clock.advance(1000);
    expect([staleA(), staleB()]).toEqual([1, 0]);
    expect(await engine.seen(a)).toBe(5);
  });

  test("a change that leaves the index keys alone still refreshes readers of the range", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const id = await engine.mutation("rows:add", { group: "a", n: 5 });
    const live = engine.watch("rows:notes", { group: "a" });
    const stale = countStale(live);
    expect(await engine.seen(live)).toEqual([null]);
    await engine.mutation("rows:note", { id, note: "x" });
    await engine.clock.advance(1000);
    expect(stale()).toBe(1);
    expect(await engine.seen(live)).toEqual(["x"]);
  });

  test("a query that stopped at its first row does not mind what happens behind it", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    await engine.mutation("rows:add", { group: "a", n: 5 });
    const live = engine.watch("rows:smallest", { group: "a" });
    const stale = countStale(live);
    await engine.seen(live);
    await engine.mutation("rows:add", { group: "a", n: 9 });
    await engine.clock.advance(1000);
    expect(stale()).toBe(0);
    await engine.mutation("rows:add", { group: "a", n: 1 });
    await engine.clock.advance(1000);
    expect([stale(), await engine.seen(live)]).toEqual([1, 1]);
  });

  test("the first row of a table that nobody had named refreshes its readers", async () => {
    const engine = await TestEngine.deployed(newStore()(), {
      ...APP,
      "schema.ts": "export default undefined;",
    });
    const live = engine.watch("rows:newTable");
    expect(await engine.seen(live)).toBe(0);
    await engine.mutation("rows:addLater");
    expect(await engine.seen(live)).toBe(1);
  });

  test("all queries of an evaluation see one snapshot, also while mutations pour in", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const lives = ["a", "a", "a"].map((group, i) =>
      engine.watch(i === 2 ? "rows:notes" : "rows:total", { group }),
    );
    const writes = Array.from({ length: 40 }, () =>
      engine.mutation("rows:add", { group: "a", n: 1 }),
    );
    for (let round = 0; round < 10; round++) {
      const { results } = await engine.application.live.evaluate(lives);
      const [total, same, notes] = results.map((result) =>
        result.ok ? (JSON.parse(result.value) as unknown) : null,
      );
      expect(total).toBe(same);
      expect(notes).toHaveLength(total as number);
    }
    await Promise.all(writes);
  });

  /** One more than fits into nine slices. */
  const MANY = 901;
  const watchMany = (engine: TestEngine, groupOf: (i: number) => string) =>
    Array.from({ length: MANY }, (_, i) =>
      engine.watch(i % 2 === 0 ? "rows:total" : "rows:notes", { group: groupOf(i), i }),
    );

  test("mutations that arrive while many queries are evaluated do not wait for all of them", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const lives = watchMany(engine, (i) => `group ${i}`);
    const ended: string[] = [];
    const evaluated = engine.application.live.evaluate(lives).then(() => ended.push("evaluated"));
    const written = Array.from({ length: 50 }, () =>
      engine.mutation("rows:add", { group: "other", n: 1 }).then(() => ended.push("written")),
    );
    await Promise.all([evaluated, ...written]);
    expect(ended.indexOf("evaluated")).toBe(written.length);
  });

  test("many queries that nobody waits for any more are not evaluated to the end", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    let calls = 0;
    engine.application.onFunctionLog(() => calls++);
    const gone = new AbortController();
    const evaluated = engine.application.live.evaluate(
      watchMany(engine, (i) => `group ${i}`),
      gone.signal,
    );
    gone.abort(new Error("gone"));
    await expect(evaluated).rejects.toThrow("gone");
    await engine.mutation("rows:add", { group: "other", n: 1 });
    expect(calls).toBeLessThan(MANY / 2);
  });

  test.each([
    ["few", (i: number) => (i < 30 ? "hot" : "cold")],
    ["all", () => "hot"],
  ])(
    "many queries see one snapshot while commits keep making %s of them stale",
    async (_, groupOf) => {
      const engine = await TestEngine.deployed(newStore()(), APP);
      const lives = watchMany(engine, groupOf);
      let isWriting = true;
      const writes = (async () => {
        while (isWriting) await engine.mutation("rows:add", { group: "hot", n: 1 });
      })();
      for (let round = 0; round < 3; round++) {
        const { results } = await engine.application.live.evaluate(lives);
        const counts = results.map((result, i) => {
          const value: unknown = result.ok ? JSON.parse(result.value) : null;
          const count = Array.isArray(value) ? value.length : value;
          return groupOf(i) === "hot" ? count : results.length;
        });
        expect(new Set(counts.filter((count) => count !== results.length)).size).toBe(1);
      }
      isWriting = false;
      await writes;
    },
  );

  test("identical queries run once, and a result that did not change is the same object", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    let runs = 0;
    engine.application.onFunctionLog((log) => {
      if (log.target.path === "rows:total") runs++;
    });
    const [one, two] = [
      engine.watch("rows:total", { group: "a" }),
      engine.watch("rows:total", { group: "a" }),
    ];
    const first = await engine.application.live.evaluate([one, two]);
    expect(first.results[0]).toBe(first.results[1]);
    expect(runs).toBe(1);
    await engine.mutation("rows:add", { group: "a", n: 0 });
    const second = await engine.application.live.evaluate([two]);
    expect(runs).toBe(2);
    expect(second.results[0]).toBe(first.results[0]);
    expect(second.ts).toBeGreaterThan(first.ts);
    one.release();
    await engine.mutation("rows:add", { group: "a", n: 3 });
    expect(await engine.seen(two)).toBe(3);
  });

  test("after a refresh the next one waits, and many commits in between are one refresh", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const live = engine.watch("rows:total", { group: "a" });
    const stale = countStale(live);
    await engine.seen(live);
    await engine.clock.advance(1000);
    await engine.mutation("rows:add", { group: "a", n: 1 });
    await engine.clock.advance(0);
    expect(stale()).toBe(1);
    await engine.seen(live);
    for (let i = 0; i < 5; i++) await engine.mutation("rows:add", { group: "a", n: 1 });
    await engine.clock.advance(0);
    expect(stale()).toBe(1);
    await engine.clock.advance(1000);
    expect(stale()).toBe(2);
    expect(await engine.seen(live)).toBe(6);
  });

  test("a query that is not looked at is not announced again and again", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const live = engine.watch("rows:total", { group: "a" });
    const stale = countStale(live);
    await engine.seen(live);
    for (let i = 0; i < 3; i++) {
      await engine.mutation("rows:add", { group: "a", n: 1 });
      await engine.clock.advance(1000);
    }
    expect(stale()).toBe(1);
  });

  test("whoever watches hears of a change also when another watcher of the same query has looked first", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const [early, late] = [1, 2].map(() => engine.watch("rows:total", { group: "a" }));
    if (early === undefined || late === undefined) expect.fail("nothing is watched");
    const [earlyStale, lateStale] = [countStale(early), countStale(late)];
    expect([await engine.seen(early), await engine.seen(late)]).toEqual([0, 0]);
    await engine.mutation("rows:add", { group: "a", n: 5 });
    expect(await engine.seen(late)).toBe(5);
    await engine.clock.advance(1000);
    expect([earlyStale(), lateStale()]).toEqual([1, 0]);
    expect(await engine.seen(early)).toBe(5);
    await engine.clock.advance(1000);
    expect([earlyStale(), lateStale()]).toEqual([1, 0]);
  });

  test("environment variables and new code refresh what depends on them", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const live = engine.watch("rows:setting");
    expect(await engine.seen(live)).toBeNull();
    await engine.application.setEnvironment([{ name: "SETTING", value: "on" }]);
    expect(await engine.seen(live)).toBe("on");
    const rows = APP["rows.ts"].replace("process.env.SETTING ?? null", '"new code"');
    await engine.deploy({ ...APP, "rows.ts": rows });
    expect(await engine.seen(live)).toBe("new code");
  });

  test("the engine's own queries are watched like any other, by an admin only", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const { application } = engine;
    application.registerSystemQuery("_system/cli/tables", (read, _args, path) =>
      JSON.stringify(read.tables(path)),
    );
    application.registerSystemQuery("_system/cli/environment", (read) =>
      JSON.stringify(read.environment()),
    );
    application.registerSystemQuery("_system/cli/page", (read, args, path) => {
      const { table } = JSON.parse(args) as { table: string };
      return JSON.stringify(
        read.page(path, table, { cursor: null, limit: 10, order: "desc" }).page.length,
      );
    });
    expect(await engine.query("_system/cli/tables", {}, ADMIN)).toEqual(["rows"]);
    const target = { componentPath: "", path: "_system/cli/environment:default" };
    const live = application.live.open(target, "{}", ADMIN, null);
    expect(await engine.seen(live)).toEqual([]);
    await application.setEnvironment([{ name: "A", value: "1" }]);
    expect(await engine.seen(live)).toEqual([{ name: "A", value: "1" }]);
    await engine.mutation("rows:add", { group: "a", n: 1 });
    expect(await engine.query("_system/cli/page", { table: "rows" }, ADMIN)).toBe(1);
    expect((await engine.failure("query", "_system/cli/tables")).message).toContain(
      "Could not find function",
    );
  });
});
