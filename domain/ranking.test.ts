import fc from "fast-check";
import { expect, test } from "vitest";
import { compareRanked, updateTop } from "./ranking.ts";
import type { Ranked } from "./ranking.ts";

const LIMIT = 4;

test("the largest first, equal ones by path", () => {
  const counts = new Map([
    ["/b", 2],
    ["/a", 2],
    ["/c", 3],
  ]);
  const top = updateTop([], counts, { limit: LIMIT, totalPaths: 3 });
  expect(top?.map(({ path }) => path)).toEqual(["/c", "/a", "/b"]);
});

test("a path that falls to nothing leaves the list", () => {
  const top = [{ path: "/a", count: 1 }];
  expect(updateTop(top, new Map([["/a", 0]]), { limit: LIMIT, totalPaths: 0 })).toEqual([]);
});

test("whatever changes: the list has the largest counts, or says that it cannot know", () => {
  const change = fc.record({ path: fc.nat(7), count: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 30 }), (rounds) => {
      const truth = new Map<string, number>();
      let top: Ranked[] = [];
      for (const round of rounds) {
        const counts = new Map(round.map(({ path, count }) => [`/${path}`, count]));
        for (const [path, count] of counts) truth.set(path, count);
        const all = [...truth]
          .map(([path, count]) => ({ path, count }))
          .filter(({ count }) => count > 0)
          .sort(compareRanked);
        const expected = all.slice(0, LIMIT);
        const updated = updateTop(top, counts, { limit: LIMIT, totalPaths: all.length });
        if (updated !== null) {
          expect(updated.map(({ count }) => count)).toEqual(expected.map(({ count }) => count));
          for (const { path, count } of updated) expect(truth.get(path)).toBe(count);
        }
        top = updated ?? expected;
      }
    }),
  );
});

test("it always knows while every path is listed", () => {
  const change = fc.record({ path: fc.nat(LIMIT - 1), count: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const truth = new Map<string, number>();
      let top: Ranked[] = [];
      for (const { path, count } of changes) {
        truth.set(`/${path}`, count);
        const totalPaths = [...truth.values()].filter((known) => known > 0).length;
        const updated = updateTop(top, new Map([[`/${path}`, count]]), {
          limit: LIMIT,
          totalPaths,
        });
        expect(updated).toHaveLength(totalPaths);
        top = updated ?? [];
      }
    }),
  );
});
