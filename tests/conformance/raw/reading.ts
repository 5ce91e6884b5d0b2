/** Owns: first, unique, take, collect, iteration, filter and pages that nobody watches. Not: ranges (indexes.ts), live pages (pages.ts). */
import type { Value } from "convex/values";
import { describe, expect, test } from "vitest";
import { doneOn, expectedOn, failureOf } from "./world.ts";
import type { Args, CurrentWorld, World } from "./world.ts";

type Page = {
  page: string[];
  isDone: boolean;
  continueCursor: string;
  splitCursor: string | null;
  pageStatus: string | null;
};

/** Rows named after their keys. */
async function rows(world: World, keys: readonly number[]): Promise<void> {
  const docs = keys.map((key) => ({ name: String(key), key }));
  await world.mutation("rows:insert", { table: "things", docs });
}

const page = async (world: World, options: Args, asked: Args = {}): Promise<Page> => {
  const args = { index: "by_key", ...asked, paginationOpts: { cursor: null, ...options } };
  return (await world.query("rows:page", args)) as Page;
};

export function describeReading(current: CurrentWorld): void {
  describe("first, unique, take, collect, iteration", () => {
    test("take what they promise, in both orders", async () => {
      const world = current();
      await rows(world, [2, 1, 3]);
      expect(await world.query("rows:list")).toEqual(["2", "1", "3"]);
      expect(await world.query("rows:first")).toBe("2");
      expect(await world.query("rows:first", { order: "desc" })).toBe("3");
      expect(await world.query("rows:first", { index: "by_key", order: "desc" })).toBe("3");
      expect(await world.query("rows:take", { n: 2, index: "by_key" })).toEqual(["1", "2"]);
      expect(await world.query("rows:take", { n: 0 })).toEqual([]);
      expect(await world.query("rows:take", { n: 9, order: "desc" })).toEqual(["3", "1", "2"]);
      expect(await world.query("rows:walked", { n: 2, order: "desc" })).toEqual(["3", "1"]);
    });

    test("find nothing in an empty range and in a table that nobody filled", async () => {
      const world = current();
      const empty = { index: "by_key", range: [["eq", "key", "x"]] };
      expect(await world.query("rows:first", empty)).toBeNull();
      expect(await world.query("rows:unique", empty)).toBeNull();
      expect(await world.query("rows:list", empty)).toEqual([]);
      expect(await world.query("rows:list", { table: "nowhere" })).toEqual([]);
      expect((await page(world, { numItems: 1 }, empty)).isDone).toBe(true);
    });

    test("unique is one or none, and an error for more", async () => {
      const world = current();
      await rows(world, [1, 1, 2]);
      const at = (key: number): Args => ({ index: "by_key", range: [["eq", "key", key]] });
      expect(await world.query("rows:unique", at(2))).toBe("2");
      const { message } = await failureOf(world.query("rows:unique", at(1)));
      expect(message).toContain("unique() query returned more than one result");
    });

    test("a cursor that is already open sees what its own transaction writes ahead of it", async () => {
      const world = current();
      expect(await world.mutation("rows:openCursor")).toEqual(
        expectedOn<Value>(world, {
          convex: ["a", "b1", "b2"],
          convexTest: ["a"],
          because:
            "convex-test evaluates a query when it is opened (_evaluateQuery); Convex reads the stream row by row through the transaction's own writes",
        }),
      );
    });
  });

  describe("filter", () => {
    const filtered = async (filter: Value): Promise<Value> =>
      current().query("rows:list", { filter });

    test("compares and combines", async () => {
      await rows(current(), [1, 2, 3, 4]);
      const key: Value = ["field", "key"];
      expect(await filtered(["eq", key, 2])).toEqual(["2"]);
      expect(await filtered(["neq", key, 2])).toEqual(["1", "3", "4"]);
      expect(await filtered(["and", ["gt", key, 1], ["lte", key, 3]])).toEqual(["2", "3"]);
      expect(await filtered(["or", ["lt", key, 2], ["gte", key, 4]])).toEqual(["1", "4"]);
      expect(await filtered(["not", ["eq", key, 1]])).toEqual(["2", "3", "4"]);
    });

    test("calculates with floats and with int64s", async () => {
      const world = current();
      await rows(world, [1, 2, 3, 4]);
      const key: Value = ["field", "key"];
      expect(await filtered(["eq", ["mod", key, 2], 0])).toEqual(["2", "4"]);
      expect(await filtered(["eq", ["add", key, 1], 3])).toEqual(["2"]);
      expect(await filtered(["eq", ["sub", key, 1], 3])).toEqual(["4"]);
      expect(await filtered(["eq", ["mul", key, 2], 6])).toEqual(["3"]);
      expect(await filtered(["eq", ["div", key, 2], 0.5])).toEqual(["1"]);
      const docs = [{ name: "big", big: 7n }];
      await world.mutation("rows:insert", { table: "things", docs });
      const big = [
        "and",
        ["eq", ["field", "name"], "big"],
        ["eq", ["div", ["field", "big"], 2n], 3n],
      ];
      expect(await filtered(big)).toEqual(["big"]);
    });

    test("orders values of different types as an index does, a missing field first", async () => {
      const world = current();
      await rows(world, [1]);
      const docs = [{ name: "none" }, { name: "text", key: "x" }, { name: "null", key: null }];
      await world.mutation("rows:insert", { table: "things", docs });
      expect(await filtered(["eq", ["field", "key"], "missing!"])).toEqual(["none"]);
      expect(await filtered(["lt", ["field", "key"], 1])).toEqual(
        expectedOn<Value>(world, {
          convex: ["none", "null"],
          convexTest: ["null"],
          because:
            "convex-test compares with JavaScript's < (evaluateFilter), Convex with the order of its values",
        }),
      );
      expect(await filtered(["gt", ["field", "key"], 1])).toEqual(
        expectedOn<Value>(world, {
          convex: ["text"],
          convexTest: [],
          because: "as above: 'x' > 1 is false in JavaScript",
        }),
      );
    });
  });

  describe("pages", () => {
    test.each(["asc", "desc"])("in %s order meet without a gap or an overlap", async (order) => {
      const world = current();
      await rows(world, [1, 2, 3, 4, 5]);
      const found: string[] = [];
      let cursor: string | null = null;
      for (let isDone = false; !isDone;) {
        const next = await page(world, { cursor, numItems: 2 }, { order });
        found.push(...next.page);
        ({ continueCursor: cursor, isDone } = next);
      }
      expect(found).toEqual(
        order === "asc" ? ["1", "2", "3", "4", "5"] : ["5", "4", "3", "2", "1"],
      );
      const behind = await page(world, { cursor, numItems: 2 }, { order });
      expect(behind).toMatchObject({ page: [], isDone: true });
    });

    test("equal keys are parted where a page ends", async () => {
      const world = current();
      await rows(world, [7, 7, 7]);
      const first = await page(world, { numItems: 2 });
      const second = await page(world, { cursor: first.continueCursor, numItems: 2 });
      expect([first.page, second.page]).toEqual([["7", "7"], ["7"]]);
    });

    test("a page with an end holds whatever lies in its range, however much it became", async () => {
      const world = current();
      await rows(world, [10, 20, 30, 40]);
      const { continueCursor } = await page(world, { numItems: 2 });
      await rows(world, [11, 12, 25]);
      const again = { endCursor: continueCursor, numItems: 2 };
      expect(await page(world, again)).toMatchObject({
        page: ["10", "11", "12", "20"],
        continueCursor,
        isDone: false,
      });
      const next = await page(world, { cursor: continueCursor, numItems: 2 });
      expect(next.page).toEqual(["25", "30"]);
    });

    test("where the row at the end is gone, the page ends where it ended", async () => {
      const world = current();
      await rows(world, [10, 20, 30]);
      const { continueCursor } = await page(world, { numItems: 2 });
      const [row] = (await world.query("rows:docs", {
        index: "by_key",
        range: [["eq", "key", 20]],
      })) as [{ _id: string }];
      await world.mutation("rows:remove", { id: row._id });
      const again = await page(world, { endCursor: continueCursor, numItems: 2 });
      expect(again.page).toEqual(["10"]);
      expect(again.continueCursor).toBe(
        expectedOn(world, {
          convex: continueCursor,
          convexTest: again.continueCursor,
          because:
            "convex-test gives the end of the table once the row at the end is gone, so that pages after it are lost; Convex keeps the asked end (its cursors are keys, not rows)",
        }),
      );
      const next = await page(world, { cursor: continueCursor, numItems: 2 });
      expect(next.page).toEqual(["30"]);
    });

    test("rows that a filter drops count as read, and the page says when it had to stop early", async () => {
      const world = current();
      await rows(world, [1, 3, 5, 6, 8]);
      const even = { filter: ["eq", ["mod", ["field", "key"], 2], 0] };
      const first = await page(world, { numItems: 2, maximumRowsRead: 3 }, even);
      expect(first).toMatchObject({ page: [], isDone: false, pageStatus: "SplitRequired" });
      const rest = { cursor: first.continueCursor, numItems: 2, maximumRowsRead: 3 };
      expect((await page(world, rest, even)).page).toEqual(["6", "8"]);
    });

    test("a split cursor parts a page in two that together are the same", async () => {
      const world = current();
      await rows(world, [1, 2, 3, 4, 5, 6]);
      const odd = { filter: ["eq", ["mod", ["field", "key"], 2], 1] };
      const whole = await page(world, { numItems: 6, maximumRowsRead: 5 }, odd);
      const { splitCursor, continueCursor } = whole;
      expect(splitCursor).not.toBeNull();
      const left = await page(world, { endCursor: splitCursor, numItems: 6 }, odd);
      const ends = { cursor: splitCursor, endCursor: continueCursor, numItems: 6 };
      const right = await page(world, ends, odd);
      expect([...left.page, ...right.page]).toEqual(whole.page);
    });

    test("two in one function, none at all, and cursors of other queries are refused", async () => {
      const world = current();
      await rows(world, [1, 2, 3]);
      const says = async (work: Promise<unknown>): Promise<string> =>
        (await failureOf(work)).message;
      expect(await says(world.query("rows:twoPages"))).toMatch(
        expectedOn(world, {
          convex: /ran multiple paginated queries/,
          convexTest: /Only a single paginated query/,
          because: "convex-test has wording of its own",
        }),
      );
      const { continueCursor } = await page(world, { numItems: 1 });
      const elsewhere = { range: [["gt", "key", 1]] };
      const asked = () => page(world, { cursor: continueCursor, numItems: 1 }, elsewhere);
      const refused = doneOn<string>(world, {
        convex: () => says(asked()),
        convexTest: () => asked().then(() => "InvalidCursor"),
        because:
          "convex-test does not check where a cursor comes from; Convex says InvalidCursor, on which usePaginatedQuery begins again (react/use_paginated_query.ts)",
      });
      expect(await refused).toContain("InvalidCursor");
      const none = () => page(world, { numItems: 0 });
      const refusedNone = doneOn<string>(world, {
        convex: () => says(none()),
        convexTest: () => none().then(() => "Must request at least 1 document"),
        because: "convex-test answers an empty page",
      });
      expect(await refusedNone).toContain("Must request at least 1 document");
    });
  });
}
