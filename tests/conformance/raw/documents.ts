/** Owns: get, insert, patch, replace, delete and normalizeId. Not: queries (reading.ts), validators. */
import type { Value } from "convex/values";
import { expect, test } from "vitest";
import { doneOn, expectedOn, failureOf } from "./world.ts";
import type { CurrentWorld, World } from "./world.ts";

const MISSING = "missing!";

const insert = async (world: World, doc: Record<string, Value>): Promise<string> => {
  const [id = ""] = (await world.mutation("rows:insert", {
    table: "things",
    docs: [doc],
  })) as string[];
  return id;
};
const get = (world: World, id: string): Promise<Value> => world.query("rows:get", { id });
const fieldsOf = async (world: World, id: string): Promise<Value> => {
  const { _id, _creationTime, ...fields } = (await get(world, id)) as Record<string, Value>;
  expect([_id, typeof _creationTime]).toEqual([id, "number"]);
  return fields;
};

const ANYTHING: Record<string, Value> = {
  null: null,
  int64: -(2n ** 63n),
  float: [-0, NaN, Infinity, -Infinity, 5e-324],
  flags: { yes: true, no: false },
  text: "ünïcode 😀 \u0000 \ud800".slice(0, -1),
  bytes: new Uint8Array([0, 255]).buffer,
  deep: [[[{ a: [1n, { b: null }] }]]],
};

export function describeDocuments(current: CurrentWorld): void {
  test("every type of value comes back as it was inserted", async () => {
    const world = current();
    const id = await insert(world, ANYTHING);
    expect(await fieldsOf(world, id)).toEqual(ANYTHING);
  });

  test("a field that is undefined is no field", async () => {
    const world = current();
    const id = await insert(world, { a: 1, b: MISSING });
    expect(Object.keys((await fieldsOf(world, id)) as object)).toEqual(["a"]);
  });

  test("patch sets, unsets and leaves the rest; nested objects are replaced whole", async () => {
    const world = current();
    const id = await insert(world, { a: 1, b: { x: 1, y: 2 }, c: "stays" });
    await world.mutation("rows:patch", { id, doc: { a: MISSING, b: { y: 3 }, d: null } });
    expect(await fieldsOf(world, id)).toEqual({ b: { y: 3 }, c: "stays", d: null });
    await world.mutation("rows:patch", { id, table: "things", doc: {} });
    expect(await fieldsOf(world, id)).toEqual({ b: { y: 3 }, c: "stays", d: null });
  });

  test("replace leaves nothing but the id and the time of creation", async () => {
    const world = current();
    const id = await insert(world, { a: 1, b: 2 });
    const before = (await get(world, id)) as Record<string, Value>;
    await world.mutation("rows:replace", { id, doc: { c: 3 } });
    const { _creationTime = null } = before;
    expect(await get(world, id)).toEqual({ _id: id, _creationTime, c: 3 });
  });

  test("a document that was read can be written back, with another id or time it cannot", async () => {
    const world = current();
    const id = await insert(world, { a: 1 });
    const read = (await get(world, id)) as Record<string, Value>;
    await world.mutation("rows:replace", { id, doc: { ...read, a: 2 } });
    await world.mutation("rows:patch", { id, doc: { ...read, b: 3 } });
    expect(await fieldsOf(world, id)).toEqual({ a: 1, b: 3 });
    for (const how of ["rows:patch", "rows:replace"]) {
      const time = await failureOf(world.mutation(how, { id, doc: { ...read, _creationTime: 5 } }));
      expect(time.message).toMatch(/Provided `_creationTime` field value 5/);
      const other = await failureOf(world.mutation(how, { id, doc: { ...read, _id: "other" } }));
      expect(other.message).toMatch(/Provided `_id` field value "other"/);
    }
  });

  test("a deleted document is null, and can be neither changed nor deleted again", async () => {
    const world = current();
    const id = await insert(world, {});
    await world.mutation("rows:remove", { id, table: "things" });
    expect(await get(world, id)).toBeNull();
    const says = async (how: string): Promise<string> =>
      (await failureOf(world.mutation(`rows:${how}`, { id, doc: {} }))).message;
    const because = "convex-test has wording of its own";
    expect(await says("patch")).toMatch(
      expectedOn(world, {
        convex: /Update on nonexistent document ID/,
        convexTest: /Patch on non-existent document/,
        because,
      }),
    );
    expect(await says("replace")).toMatch(
      expectedOn(world, {
        convex: /Replace on nonexistent document ID/,
        convexTest: /Replace on non-existent document/,
        because,
      }),
    );
    expect(await says("remove")).toMatch(
      expectedOn(world, {
        convex: /Delete on nonexistent document ID/,
        convexTest: /Delete on non-existent doc/,
        because,
      }),
    );
  });

  test("what is no id is refused; an id of another table too, where a table is named", async () => {
    const world = current();
    const id = await insert(world, {});
    const garbage = await doneOn<string>(world, {
      convex: () => failureOf(get(world, "garbage")).then(({ message }) => message),
      convexTest: () =>
        get(world, "garbage").then((value) => (value === null ? "Unable to decode ID" : "")),
      because: "convex-test looks a garbled id up and finds nothing; Convex cannot decode it",
    });
    expect(garbage).toContain("Unable to decode ID");
    const { message } = await failureOf(world.query("rows:get", { id, table: "notes" }));
    expect(message).toContain(
      "Invalid argument `id`, expected ID in table 'notes' but got ID in table 'things'",
    );
  });

  test("normalizeId gives the id for its own table, and null for others and for what is none", async () => {
    const world = current();
    const id = await insert(world, {});
    const normalized = (table: string, given: string): Promise<Value> =>
      world.query("rows:normalized", { table, id: given });
    expect(await normalized("things", id)).toBe(id);
    expect(await normalized("notes", id)).toBeNull();
    expect(await normalized("nowhere", id)).toBeNull();
    expect(await normalized("things", "garbage")).toBeNull();
    expect(await normalized("things", "")).toBeNull();
  });

  test("ids are Convex's own: 32 letters and digits, none of them twice", async () => {
    const world = current();
    const docs = Array.from({ length: 50 }, () => ({}));
    const ids = (await world.mutation("rows:insert", { table: "things", docs })) as string[];
    expect(new Set(ids).size).toBe(50);
    expect(ids.every((id) => /^[0-9a-z]{32}$/.test(id))).toBe(true);
  });

  test("times of creation grow within one transaction and from one to the next", async () => {
    const world = current();
    for (let i = 0; i < 3; i++)
      await world.mutation("rows:insert", { table: "things", docs: [{}, {}, {}] });
    const rows = (await world.query("rows:docs", {})) as { _creationTime: number }[];
    const times = rows.map((row) => row._creationTime);
    expect(times).toHaveLength(9);
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });

  test("a document takes 1 MiB with its system fields, and no more", async () => {
    const world = current();
    await world.mutation("moments:tooLargeDocument", { bytes: 1_048_000 });
    const { message } = await failureOf(
      world.mutation("moments:tooLargeDocument", { bytes: 1_048_576 }),
    );
    expect(message).toMatch(/Value is too large \(.* > maximum size/);
    expect(await world.query("rows:docs", {})).toHaveLength(1);
  });

  test("system tables are read through db.system and not written", async () => {
    const world = current();
    const id = (await world.mutation("jobs:after", {
      ms: 3_600_000,
      name: "work",
      args: { text: "x" },
    })) as string;
    expect(await world.query("rows:system", { table: "_scheduled_functions" })).toMatchObject([
      { _id: id },
    ]);
    const read = doneOn<Value>(world, {
      convex: () => failureOf(get(world, id)).then(({ message }) => message),
      convexTest: () =>
        get(world, id).then(() => "System tables can only be accessed from db.system."),
      because: "convex-test reads system tables through db.get too",
    });
    expect(await read).toContain("System tables can only be accessed from db.system");
  });
}
