import { expect, test } from "vitest";
import { ADMIN, REQUEST, TestEngine, VISITOR, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "schema.ts": `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({ items: defineTable({ size: v.number() }) });`,
  "loose.ts": `
    import { mutationGeneric as mutation } from "convex/server";
    const hostile = () => new Proxy(new Error("x"), { get() { throw new Error("read"); }, has() { throw new Error("read"); } });
    export const untold = mutation(async () => { throw hostile(); });
    const LOOSE = {
      insert: (db) => db.insert("items", null),
      patch: (db, id) => db.patch(id, null),
      replace: (db, id) => db.replace(id, [1]),
      normalizeId: (db) => db.normalizeId("items", null),
      division: (db) => db.query("items").filter((q) => q.eq(q.div(1n, 0n), 1n)).collect(),
    };
    export const call = mutation(async (ctx, { what }) => {
      await LOOSE[what](ctx.db, await ctx.db.insert("items", { size: 1 }));
    });`,
  "calls.ts": `
    import { mutationGeneric as mutation, queryGeneric as query, internalMutationGeneric as internalMutation } from "convex/server";
    export const hidden = internalMutation(async () => "hidden");
    export const now = query(async () => {
      const first = Date.now();
      await Promise.resolve();
      return { same: first === new Date().getTime(), now: Date.now(), random: Math.random(), text: typeof Date() };
    });
    export const fetches = query(async () => { await fetch("http://x.example"); });
    export const waits = mutation(async () => { setTimeout(() => {}, 1); });
    export const viaGlobal = mutation(async () => { globalThis.fetch("http://x.example"); });
    export const env = query(async () => [process.env.CONVEX_CLOUD_URL, process.env.NAME ?? null, typeof Buffer, typeof globalThis.Convex]);
    const atLoad = process.env.NAME ?? null;
    export const loaded = query(async () => atLoad);
    export const logs = query(async () => {
      console.log("hello", { a: 1n });
      console.warn("careful");
      return null;
    });
    function deepInside() { throw new TypeError("broken"); }
    export const throws = query(async () => { deepInside(); });
    export const badSize = mutation((ctx) => ctx.db.insert("items", { size: "large" }));
    export const badIndex = query((ctx) => ctx.db.query("items").withIndex("by_size").collect());
    export const search = query((ctx) => ctx.db.query("items").withSearchIndex("s", (q) => q.search("size", "x")).collect());
    export const who = query((ctx) => ctx.auth.getUserIdentity());
    export const metadata = mutation((ctx) => ctx.meta.getRequestMetadata());
    export const hangs = mutation(() => new Promise(() => {}));
    export const uuids = mutation(async () => crypto.randomUUID());
    export const digest = query(async () => new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(1))).length);
    export default query(async () => "default");`,
};

onEachStore((newStore) => {
  test("a visitor cannot tell an internal function from one that does not exist, an admin may call it", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const hidden = await engine.failure("mutation", "calls:hidden");
    expect(hidden.message).toMatch(/^Could not find public function for 'calls:hidden'/);
    const missing = await engine.failure("query", "calls:nothing", {}, ADMIN);
    expect(missing.message).toMatch(/^Could not find function for 'calls:nothing'/);
    const target = { componentPath: "", path: "calls:hidden" };
    expect(engine.application.functionKind(target, VISITOR)).toBeNull();
    expect(engine.application.functionKind(target, ADMIN)).toBe("mutation");
    expect(await engine.query("calls:default")).toBe("default");
    const wrong = await engine.failure("mutation", "calls:now");
    expect(wrong.message).toBe(
      "Trying to execute calls:now as mutation, but it is defined as query.",
    );
  });

  test("the time stands still inside a query and cannot be waited for", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const seen = await engine.query("calls:now");
    expect(seen).toMatchObject({ same: true, text: "string" });
    expect((await engine.failure("query", "calls:fetches")).message).toMatch(
      /Can't use fetch\(\) in queries and mutations\. Please consider using an action\./,
    );
    expect((await engine.failure("mutation", "calls:waits")).message).toContain(
      "Can't use setTimeout in",
    );
    expect((await engine.failure("mutation", "calls:viaGlobal")).message).toContain(
      "Can't use fetch()",
    );
    expect(await engine.query("calls:digest")).toBe(32);
    expect(await engine.mutation("calls:uuids")).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/,
    );
  });

  test("environment variables reach functions at once, also where a module reads them while it is loaded", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    expect(await engine.query("calls:env")).toEqual([
      "http://cloud.example",
      null,
      "undefined",
      "object",
    ]);
    await engine.application.setEnvironment([{ name: "NAME", value: "ünï" }]);
    expect(await engine.query("calls:env")).toEqual([
      "http://cloud.example",
      "ünï",
      "undefined",
      "object",
    ]);
    expect(await engine.query("calls:loaded")).toBe("ünï");
    await engine.application.setEnvironment([{ name: "NAME", value: null }]);
    expect(await engine.query("calls:loaded")).toBeNull();
  });

  test("no function leaves Convex's globals behind", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    await engine.query("calls:now");
    expect("Convex" in globalThis).toBe(false);
  });

  test("console lines come back with the result, rendered as Convex renders them", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const target = { componentPath: "", path: "calls:logs" };
    const result = await engine.application.query(target, "{}", {
      caller: VISITOR,
      request: REQUEST,
    });
    expect(result.logLines).toEqual([
      {
        level: "LOG",
        messages: ["'hello'", "{ a: 1n }"],
        at: engine.clock.now(),
        isTruncated: false,
      },
      { level: "WARN", messages: ["'careful'"], at: engine.clock.now(), isTruncated: false },
    ]);
  });

  test("an error names the place in the file that a person wrote", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const { message } = await engine.failure("query", "calls:throws");
    expect(message).toMatch(
      /^Uncaught TypeError: broken\n {4}at deepInside \(\.\.\/convex\/calls\.ts:20:\d+\)\n {4}at <anonymous> \(\.\.\/convex\/calls\.ts:21:\d+\)$/,
    );
  });

  test("what the schema, the indexes or the engine do not allow is said in one sentence", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const says = async (kind: "query" | "mutation", path: string): Promise<string> =>
      (await engine.failure(kind, path)).message;
    expect(await says("mutation", "calls:badSize")).toContain(
      'Failed to insert or update a document in table "items" because it does not match the schema',
    );
    expect(await says("query", "calls:badIndex")).toContain("Index items.by_size not found.");
    expect(await says("query", "calls:search")).toContain(
      "Full text search (withSearchIndex) is not supported",
    );
    expect(engine.internalErrors).toEqual([]);
  });

  test("a call knows who asks, and from where", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const ann = {
      kind: "visitor",
      identity: { subject: "ann", issuer: "i", tokenIdentifier: "i|ann" },
    } as const;
    expect(await engine.query("calls:who", {}, ann)).toEqual(ann.identity);
    expect(await engine.mutation("calls:metadata")).toMatchObject({
      ip: "203.0.113.9",
      userAgent: "test",
      requestId: "r1",
    });
  });

  test("a mutation that never settles is ended, and those behind it run", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const hanging = engine.failure("mutation", "calls:hangs");
    const behind = engine.mutation("calls:uuids");
    await engine.clock.advance(30_000);
    expect((await hanging).message).toContain(
      "Function execution timed out (maximum duration 30s)",
    );
    expect(await behind).toBeTypeOf("string");
  });

  test("an error that throws when it is read still ends its call as a failure", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    expect((await engine.failure("mutation", "loose:untold")).message).toMatch(/^Uncaught/);
  });

  test.each(["insert", "patch", "replace", "normalizeId", "division"])(
    "%s with what no typed code hands over is the function's failure, not the engine's",
    async (what) => {
      const engine = await TestEngine.deployed(newStore()(), APP);
      const { message } = await engine.failure("mutation", "loose:call", { what });
      expect(message).not.toContain("Try again later");
      expect(message).toMatch(what === "division" ? /zero/ : new RegExp(`db\\.${what}`));
    },
  );

  test("before the first push every call says that no code is there", async () => {
    const engine = await TestEngine.open(newStore()());
    const { message } = await engine.failure("query", "calls:now");
    expect(message).toMatch(/^Could not find function: no code has been pushed yet/);
    expect(
      engine.application.functionKind({ componentPath: "", path: "calls:now" }, ADMIN),
    ).toBeNull();
    await engine.application.close();
  });
});
