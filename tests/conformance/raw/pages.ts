/** Owns: watched pages while rows come and go at their edges: never a gap, never a row twice. Not: the cursors themselves (reading.ts). */
import { describe, expect, test } from "vitest";
import { expectedOn } from "./world.ts";
import type { CurrentWorld, WatchedPages, World } from "./world.ts";

const ORDERS = ["asc", "desc"] as const;

type Live = {
  readonly pages: WatchedPages;
  add(...keys: number[]): Promise<void>;
  remove(key: number): Promise<void>;
  /** What is shown is what a fresh read of the loaded part gives. */
  shows(keys: readonly number[], isDone: boolean): Promise<void>;
};

async function watching(
  world: World,
  order: "asc" | "desc",
  keys: readonly number[],
  loaded: readonly number[],
): Promise<Live> {
  const add = async (...more: number[]): Promise<void> => {
    const docs = more.map((key) => ({ name: String(key), key }));
    await world.mutation("rows:insert", { table: "things", docs });
  };
  await add(...keys);
  const [first = 1, ...rest] = loaded;
  const pages = await world.watchPages("rows:page", { index: "by_key", order }, first);
  for (const numItems of rest) await pages.loadMore(numItems);
  return {
    pages,
    add,
    remove: async (key) => {
      const range = [["eq", "key", key]];
      const [row] = (await world.query("rows:docs", { index: "by_key", range })) as {
        _id: string;
      }[];
      await world.mutation("rows:remove", { id: row?._id ?? "" });
    },
    shows: async (shown, isDone) => {
      expect(await pages.latest()).toEqual({
        items: (order === "asc" ? shown : shown.toReversed()).map(String),
        isDone,
      });
    },
  };
}

export function describePages(current: CurrentWorld): void {
  describe.each(ORDERS)("in %s order", (order) => {
    const inOrder = (...keys: number[]): number[] => (order === "asc" ? keys : keys.toReversed());

    test("rows that come at both sides of an edge are each shown once", async () => {
      const live = await watching(current(), order, [10, 20, 30, 40, 50], [2, 2]);
      await live.add(19, 21, 20);
      const before = order === "asc" ? [10, 19, 20, 20, 21, 30, 40] : [20, 20, 21, 30, 40, 50];
      await live.shows(before, false);
      await live.add(39, 41);
      const after =
        order === "asc" ? [10, 19, 20, 20, 21, 30, 39, 40] : [20, 20, 21, 30, 39, 40, 41, 50];
      await live.shows(after, false);
    });

    test("rows that go at both sides of an edge leave no gap", async () => {
      const live = await watching(current(), order, [10, 20, 30, 40, 50, 60], [2, 2]);
      const [, second, third] = inOrder(10, 20, 30, 40, 50, 60);
      await live.remove(second ?? 0);
      await live.remove(third ?? 0);
      await live.shows(order === "asc" ? [10, 40] : [30, 60], false);
      await live.add(second ?? 0);
      await live.shows(order === "asc" ? [10, 20, 40] : [30, 50, 60], false);
    });

    test("a page that became empty keeps its place", async () => {
      const world = current();
      const live = await watching(world, order, [10, 20, 30, 40], [1, 2]);
      const [, second, third, fourth] = inOrder(10, 20, 30, 40);
      await live.remove(second ?? 0);
      await live.remove(third ?? 0);
      await live.add(25);
      await live.shows(
        order === "asc" ? [10, 25] : [25, 40],
        expectedOn(world, {
          convex: false,
          convexTest: true,
          because: "convex-test takes a page whose last row is gone for the last page",
        }),
      );
      const more = await live.pages.loadMore(5);
      expect(more.items.at(-1)).toBe(String(fourth));
      expect(more.isDone).toBe(true);
    });

    test("the last page grows with what comes behind it", async () => {
      const live = await watching(current(), order, [10, 20, 30], [2, 2]);
      await live.shows([10, 20, 30], true);
      await live.add(5, 35);
      await live.shows([5, 10, 20, 30, 35], true);
    });

    test("a row that moves over an edge is shown where it went, once", async () => {
      const world = current();
      const live = await watching(world, order, [10, 20, 30, 40, 50], [2, 2]);
      const [first] = inOrder(10, 20, 30, 40, 50);
      const range = [["eq", "key", first ?? 0]];
      const [row] = (await world.query("rows:docs", { index: "by_key", range })) as [
        { _id: string },
      ];
      await world.mutation("rows:patch", { id: row._id, doc: { key: 35, name: "35" } });
      await live.shows(order === "asc" ? [20, 30, 35, 40] : [20, 30, 35, 40], false);
    });
  });
}
