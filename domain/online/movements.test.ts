import { expect, test } from "vitest";
import { MAX_MOVEMENTS, newestMovements } from "./movements.ts";

const moves = (from: number, count: number, path = "/") =>
  Array.from({ length: count }, (_, place) => ({ at: from + place, path }));

test("the newest come first, in whatever order they were told, before those of earlier", () => {
  const [first, second] = moves(10, 2);
  const listed = newestMovements([second, first].filter(isThere), moves(1, 1));
  expect(listed.map(({ at }) => at)).toEqual([11, 10, 1]);
});

test("of more than twenty the oldest go", () => {
  const listed = newestMovements(moves(100, 15), moves(0, 15).reverse());
  expect(listed).toHaveLength(MAX_MOVEMENTS);
  expect(listed.at(-1)?.at).toBe(10);
});

test("a flood of long addresses makes no large list, and the newest is always there", () => {
  const long = "/".padEnd(1_024, "x");
  expect(newestMovements(moves(0, 20, long), [])).toHaveLength(3);
  const [huge] = moves(0, 1, long.repeat(5));
  expect(newestMovements([huge].filter(isThere), moves(0, 3))).toHaveLength(1);
});

function isThere<T>(one: T | undefined): one is T {
  return one !== undefined;
}
