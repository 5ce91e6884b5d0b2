import { expect, test } from "vitest";
import { DeployError } from "../errors.ts";
import { bundleApp } from "./test-app.helpers.ts";
import type { AppFiles } from "./test-app.helpers.ts";
import { TestEngine, onEachStore } from "./test-engine.helpers.ts";

const schema = (table: string): string => `
  import { defineSchema, defineTable } from "convex/server";
  import { v } from "convex/values";
  export default defineSchema({ rows: ${table} });`;

const LOOSE: AppFiles = {
  "schema.ts": schema(`defineTable({ n: v.any() })`),
  "rows.ts": `
    import { mutationGeneric as mutation, queryGeneric as query } from "convex/server";
    export const add = mutation(async (ctx, { ns }) => { for (const n of ns) await ctx.db.insert("rows", { n }); });
    export const all = query(async (ctx) => (await ctx.db.query("rows").collect()).map((row) => row.n));
    export const over = query(async (ctx, { n }) =>
      (await ctx.db.query("rows").withIndex("by_n", (q) => q.gt("n", n)).collect()).map((row) => row.n));
    export const bump = mutation(async (ctx) => {
      for (const row of await ctx.db.query("rows").take(3)) await ctx.db.patch("rows", row._id, { n: row.n + 1000 });
    });
    export const drop = mutation(async (ctx) => {
      for (const row of await ctx.db.query("rows").order("desc").take(3)) await ctx.db.delete("rows", row._id);
    });`,
};
const STRICT: AppFiles = {
  ...LOOSE,
  "schema.ts": schema(`defineTable({ n: v.number() }).index("by_n", ["n"])`),
};
const RENAMED_INDEX: AppFiles = {
  ...LOOSE,
  "schema.ts": schema(`defineTable({ n: v.number() }).index("by_n", ["n", "_id"])`),
};

const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + i);

onEachStore((newStore) => {
  test("a schema that old rows violate is refused with the row's id, and nothing has changed", async () => {
    const engine = await TestEngine.deployed(newStore()(), LOOSE);
    await engine.mutation("rows:add", { ns: [1, "two", 3] });
    const before = engine.application.deployments.current();
    const staged = await engine.application.deployments.stage(await bundleApp(STRICT));
    expect(staged.indexDiffs[""]).toEqual({
      added: [{ name: "rows.by_n", fields: ["n"] }],
      removed: [],
    });
    expect(await staged.validateSchema()).toMatchObject({
      componentPath: "",
      tableName: "rows",
      message: expect.stringMatching(
        /^Document with ID "\w{32}" in table "rows" does not match the schema: Value does not match validator/,
      ) as string,
    });
    await expect(staged.activate()).rejects.toThrow(DeployError);
    expect(engine.application.deployments.current()).toBe(before);
    expect(await engine.query("rows:all")).toEqual([1, "two", 3]);
    expect((await engine.failure("query", "rows:over", { n: 0 })).message).toContain("not found");
    await engine.mutation("rows:add", { ns: ["four"] });
  });

  test("a row that is written between the check and the swap is checked, too", async () => {
    const engine = await TestEngine.deployed(newStore()(), LOOSE);
    await engine.mutation("rows:add", { ns: [1] });
    const staged = await engine.application.deployments.stage(await bundleApp(STRICT));
    expect(await staged.validateSchema()).toBeNull();
    await engine.mutation("rows:add", { ns: ["late"] });
    await expect(staged.activate()).rejects.toThrow(/does not match the schema/);
    expect(await engine.query("rows:all")).toEqual([1, "late"]);
  });

  test("a new index holds every row, also those that are written while it is being filled", async () => {
    const engine = await TestEngine.deployed(newStore()(), LOOSE);
    for (let i = 0; i < 3; i++) await engine.mutation("rows:add", { ns: range(i * 300, 300) });
    const activated = engine.deploy(STRICT);
    const writes = [
      engine.mutation("rows:bump"),
      engine.mutation("rows:drop"),
      engine.mutation("rows:add", { ns: [2000] }),
    ];
    await Promise.all([activated, ...writes]);
    const expected = ((await engine.query("rows:all")) as number[]).sort((a, b) => a - b);
    expect(expected).toHaveLength(898);
    expect(await engine.query("rows:over", { n: -1 })).toEqual(expected);
    await engine.mutation("rows:bump");
    expect(await engine.query("rows:over", { n: 1500 })).toHaveLength(4);
  });

  test("mutations are answered between the batches in which a new index is filled", async () => {
    const engine = await TestEngine.deployed(newStore()(), LOOSE);
    for (let i = 0; i < 10; i++) await engine.mutation("rows:add", { ns: range(i * 400, 400) });
    await bundleApp(STRICT);
    let isFilled = false;
    let answered = 0;
    const filled = engine.deploy(STRICT).finally(() => (isFilled = true));
    while (!isFilled) {
      await engine.mutation("rows:add", { ns: [10_000] });
      if (!isFilled) answered++;
    }
    await filled;
    // One for each few of the batches of 200 rows: each waits for the batch before it and to be made durable.
    expect(answered).toBeGreaterThan(4);
    expect(await engine.query("rows:over", { n: 9_999 })).toHaveLength(answered + 1);
  });

  test("an index of another shape takes the place of the old one, whose rows go away", async () => {
    const engine = await TestEngine.deployed(newStore()(), STRICT);
    await engine.mutation("rows:add", { ns: range(0, 250) });
    await engine.deploy(RENAMED_INDEX);
    expect(await engine.query("rows:over", { n: 247 })).toEqual([248, 249]);
    await engine.deploy(LOOSE);
    expect((await engine.failure("query", "rows:over", { n: 0 })).message).toContain("not found");
    expect(await indexRows(engine)).toBe(250);
  });

  test("code, data and environment are there again after the process died", async () => {
    const openStore = newStore();
    const first = await TestEngine.open(openStore());
    await first.deploy(STRICT);
    await first.application.setEnvironment([{ name: "A", value: "1" }]);
    await first.mutation("rows:add", { ns: [1, 2] });
    const { commitTs } = first.application;
    const second = await TestEngine.open(openStore(), first.clock);
    expect(await second.query("rows:over", { n: 1 })).toEqual([2]);
    expect(second.application.commitTs).toBeGreaterThanOrEqual(commitTs);
    await second.mutation("rows:add", { ns: [3] });
    expect(second.application.commitTs).toBeGreaterThan(commitTs);
    expect(second.application.deployments.current()).toEqual(
      first.application.deployments.current(),
    );
    await second.application.close();
  });

  test("code that does not load is refused in one sentence and the old code goes on", async () => {
    const engine = await TestEngine.deployed(newStore()(), LOOSE);
    const stage = async (files: AppFiles): Promise<unknown> =>
      engine.application.deployments.stage(await bundleApp(files));
    await expect(stage({ ...LOOSE, "bad.ts": `throw new Error("at load");` })).rejects.toThrow(
      "bad.js fails while it is loaded: Error: at load",
    );
    const stageSource = (source: string): Promise<unknown> => {
      const module = { path: "bad.js", source, sourceMap: null };
      const nothing = { dependencies: [], definition: null, schema: null, auth: null };
      const app = { definitionPath: "", ...nothing, modules: [module] };
      return engine.application.deployments.stage({ definitions: [app] });
    };
    await expect(stageSource(`import fs from "node:fs"; export default fs;`)).rejects.toThrow(
      'The pushed code of the app cannot be bundled: bad.js imports "node:fs", which was not pushed with it.',
    );
    await expect(stageSource("export const = 1;")).rejects.toThrow(DeployError);
    await expect(stage({ ...LOOSE, "convex.config.ts": "export default 1;" })).rejects.toThrow(
      "convex.config.ts must export defineApp() or defineComponent() as default.",
    );
    expect(await engine.query("rows:all")).toEqual([]);
  });

  test("the analysis says which functions, routes and crons there are", async () => {
    const engine = await TestEngine.deployed(newStore()(), LOOSE);
    const staged = await engine.application.deployments.stage(
      await bundleApp({
        ...LOOSE,
        "http.ts": `
          import { httpRouter, httpActionGeneric as httpAction } from "convex/server";
          const http = httpRouter();
          http.route({ path: "/e", method: "POST", handler: httpAction(async () => new Response()) });
          export default http;`,
        "crons.ts": `
          import { cronJobs, anyApi } from "convex/server";
          const crons = cronJobs();
          crons.interval("sweep", { minutes: 5 }, anyApi.rows.bump, {});
          export default crons;`,
        "auth.config.ts": `export default { providers: [{ domain: process.env.CONVEX_SITE_URL, applicationID: "app" }] };`,
      }),
    );
    const app = staged.analysis[""] as { functions: Record<string, unknown>; schema: unknown };
    expect(Object.keys(app.functions).sort()).toEqual(["crons.js", "http.js", "rows.js"]);
    expect(app.functions["http.js"]).toMatchObject({
      httpRoutes: [{ route: { path: "/e", method: "POST" } }],
    });
    expect(app.functions["rows.js"]).toMatchObject({
      functions: expect.arrayContaining([
        {
          name: "all",
          pos: null,
          udfType: "Query",
          visibility: { kind: "public" },
          args: '{"type":"any"}',
          returns: "null",
        },
      ]) as unknown,
    });
    expect(app.schema).toMatchObject({ schemaValidation: true });
    expect(staged.authProviders).toEqual([{ domain: "http://site.example", applicationID: "app" }]);
    await staged.activate();
    expect(engine.application.crons()).toEqual([
      {
        componentPath: "",
        name: "sweep",
        target: { componentPath: "", path: "rows:bump" },
        argsJson: "{}",
        schedule: { type: "interval", minutes: 5 },
      },
    ]);
  });
});

/** Rows of all indexes, once those that were dropped are empty. */
async function indexRows(engine: TestEngine): Promise<number> {
  await engine.application.transact(() => null);
  let isSettled = false;
  let count = -1;
  while (!isSettled) {
    const before = count;
    await engine.application.transact(() => null);
    count = 0;
    const rows = engine.storage.range("i", "j", "asc");
    while (rows.next()) count++;
    isSettled = before === count;
  }
  return count;
}
