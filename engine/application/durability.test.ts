import { expect, test } from "vitest";
import { StorageError } from "../errors.ts";
import { createMemoryStorage } from "../storage/memory.ts";
import type { Storage } from "../storage/storage.ts";
import { bundleApp } from "./test-app.helpers.ts";
import { STORES, TestEngine, VISITOR, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "counters.ts": `
    import { mutationGeneric as mutation, queryGeneric as query, anyApi } from "convex/server";
    export const add = mutation(async (ctx, { by }) => {
      const row = await ctx.db.query("counters").first();
      const value = (row?.value ?? 0) + by;
      if (row) await ctx.db.patch("counters", row._id, { value });
      else await ctx.db.insert("counters", { value });
      return value;
    });
    export const addOrThrow = mutation(async (ctx, { limit }) => {
      const value = await ctx.runMutation(anyApi.counters.add, { by: 1 });
      if (value > limit) throw new Error("too much");
      return value;
    });
    export const look = mutation(async (ctx) => (await ctx.db.query("counters").first())?.value ?? 0);
    export const stamp = mutation(async (ctx) => {
      await ctx.db.insert("stamps", { at: ctx.db.vars.commitTs });
      return ctx.db.vars.commitTs;
    });
    export const value = query(async (ctx) => (await ctx.db.query("counters").first())?.value ?? 0);`,
};

/** A store whose disk can be made to fail. */
function failing(storage: Storage): { storage: Storage; disk: { isBroken: boolean } } {
  const disk = { isBroken: false };
  const flush = (): void => {
    if (disk.isBroken) throw new StorageError("not-durable", "disk full");
    storage.flush();
  };
  const broken: Storage = {
    get: (key) => storage.get(key),
    range: (lo, hi, order) => storage.range(lo, hi, order),
    apply: (writes, pieces) => storage.apply(writes, pieces),
    piece: (file, number) => storage.piece(file, number),
    pieceNumbers: (file, limit) => storage.pieceNumbers(file, limit),
    flush,
    sync: () => storage.sync(),
    discard: () => storage.discard(),
    snapshot: () => storage.snapshot(),
    close: () => storage.close(),
  };
  return { storage: broken, disk };
}

test.each(Object.entries(STORES))(
  "on %s storage, a flush that fails fails its whole group and undoes it",
  async (_name, newStore) => {
    const { storage, disk } = failing(newStore()());
    const engine = await TestEngine.deployed(storage, APP);
    await engine.mutation("counters:add", { by: 1 });
    const live = engine.watch("counters:value");
    expect(await engine.seen(live)).toBe(1);
    const before = engine.application.commitTs;
    disk.isBroken = true;
    const lost = await Promise.all(
      [1, 2, 3].map((by) => engine.failure("mutation", "counters:add", { by })),
    );
    for (const { message } of lost) {
      expect(message).toMatch(
        /commits could not be written to disk and were undone; none of them happened\./,
      );
    }
    expect(engine.internalErrors.length).toBeGreaterThan(0);
    disk.isBroken = false;
    expect(engine.application.commitTs).toBe(before);
    expect(await engine.seen(live)).toBe(1);
    expect(await engine.mutation("counters:add", { by: 5 })).toBe(6);
    expect(await engine.seen(live)).toBe(6);
  },
);

test("results are handed out only when what they saw is durable", async () => {
  const { storage, disk } = failing(createMemoryStorage());
  const engine = await TestEngine.deployed(storage, APP);
  disk.isBroken = true;
  const live = engine.watch("counters:value");
  const write = engine.failure("mutation", "counters:add", { by: 1 });
  const reads = [engine.query("counters:value"), engine.seen(live), engine.query("counters:value")];
  for (const read of await Promise.allSettled(reads)) {
    if (read.status === "fulfilled") expect(read.value).toBe(0);
    else expect(String(read.reason)).toContain("could not be written to disk");
  }
  expect((await write).message).toContain("could not be written to disk");
  disk.isBroken = false;
  expect(await engine.seen(live)).toBe(0);
});

test("a mutation says that it ran before it is durable, and a failed one is answered when what it saw is durable", async () => {
  const { storage, disk } = failing(createMemoryStorage());
  const engine = await TestEngine.deployed(storage, APP);
  disk.isBroken = true;
  const told: string[] = [];
  const send = async (path: string, argsJson: string): Promise<void> => {
    const request = { requestId: path, ip: null, userAgent: null };
    const options = { caller: VISITOR, request, onRan: () => told.push(`${path} ran`) };
    const target = { componentPath: "", path };
    const result = await engine.application.mutation(target, argsJson, options);
    told.push(
      `${path} ${result.ok ? "answered" : result.message.replace(/^\d+ commits/, "lost:")}`,
    );
  };
  await Promise.all([send("counters:add", '{"by":1}'), send("counters:addOrThrow", '{"limit":0}')]);
  expect(told.slice(0, 2)).toEqual(["counters:add ran", "counters:addOrThrow ran"]);
  expect(told.slice(2).join()).toMatch(
    /add lost: could not .*,counters:addOrThrow lost: could not /,
  );
  disk.isBroken = false;
  await expect(engine.mutation("counters:addOrThrow", { limit: 0 })).rejects.toThrow("too much");
  expect(await engine.mutation("counters:addOrThrow", { limit: 1 })).toBe(1);
});

test("a push whose commit is lost leaves the old code running", async () => {
  const { storage, disk } = failing(createMemoryStorage());
  const engine = await TestEngine.deployed(storage, APP);
  const before = engine.application.deployments.current();
  disk.isBroken = true;
  await expect(engine.deploy({ "other.ts": "export {};" })).rejects.toThrow(StorageError);
  disk.isBroken = false;
  expect(engine.application.deployments.current()).toBe(before);
  expect(await engine.mutation("counters:add", { by: 1 })).toBe(1);
});

test("a push that was checked before commits were lost still builds its indexes", async () => {
  const { storage, disk } = failing(createMemoryStorage());
  const engine = await TestEngine.deployed(storage, APP);
  await engine.mutation("counters:add", { by: 3 });
  const schema = `
    import { defineSchema, defineTable } from "convex/server";
    import { v } from "convex/values";
    export default defineSchema({ counters: defineTable({ value: v.number() }).index("by_value", ["value"]) });`;
  const indexed = `
    import { queryGeneric as query } from "convex/server";
    export const all = query(async (ctx) =>
      (await ctx.db.query("counters").withIndex("by_value", (q) => q.gt("value", 0)).collect()).map((row) => row.value));`;
  const request = await bundleApp({ ...APP, "schema.ts": schema, "indexed.ts": indexed });
  const staged = await engine.application.deployments.stage(request);
  expect(await staged.validateSchema()).toBeNull();
  disk.isBroken = true;
  await engine.failure("mutation", "counters:add", { by: 1 });
  disk.isBroken = false;
  await staged.activate();
  expect(await engine.query("indexed:all")).toEqual([3]);
});

onEachStore((newStore) => {
  test("a mutation that is sent again gives its first answer and is not applied twice", async () => {
    const openStore = newStore();
    const engine = await TestEngine.open(openStore());
    await engine.deploy(APP);
    const key = { sessionId: "s", requestId: 0 };
    expect(await engine.mutation("counters:add", { by: 1 }, key)).toBe(1);
    const stamp = await engine.mutation("counters:stamp", {}, { ...key, requestId: 1 });
    expect(await engine.mutation("counters:add", { by: 1 }, key)).toBe(1);
    const again = await TestEngine.open(openStore(), engine.clock);
    expect(await again.mutation("counters:add", { by: 1 }, key)).toBe(1);
    expect(await again.mutation("counters:stamp", {}, { ...key, requestId: 1 })).toBe(stamp);
    expect(await again.mutation("counters:add", { by: 1 }, { ...key, sessionId: "t" })).toBe(2);
    expect(await again.query("counters:value")).toBe(2);
    await again.application.close();
  });

  test("a mutation that failed or only read runs again when it is sent again", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const key = { sessionId: "s", requestId: 0 };
    const target = { componentPath: "", path: "counters:addOrThrow" };
    const options = {
      caller: VISITOR,
      request: { requestId: "r", ip: null, userAgent: null },
      requestKey: key,
    };
    expect(await engine.application.mutation(target, '{"limit":0}', options)).toMatchObject({
      ok: false,
    });
    expect(await engine.application.mutation(target, '{"limit":1}', options)).toMatchObject({
      ok: true,
      value: "1",
    });
    expect(await engine.mutation("counters:look", {}, { ...key, requestId: 1 })).toBe(1);
    await engine.mutation("counters:add", { by: 1 });
    expect(await engine.mutation("counters:look", {}, { ...key, requestId: 1 })).toBe(2);
  });

  test("stored results go away after a day, without piling up", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    for (let requestId = 0; requestId < 20; requestId++) {
      await engine.mutation("counters:add", { by: 1 }, { sessionId: "old", requestId });
    }
    await engine.clock.advance(25 * 3_600_000);
    for (let requestId = 0; requestId < 20; requestId++) {
      await engine.mutation("counters:add", { by: 1 }, { sessionId: "new", requestId });
    }
    let stored = 0;
    const rows = engine.storage.range("r", "s", "asc");
    while (rows.next()) stored++;
    expect(stored).toBeLessThanOrEqual(24);
  });
});
