/** Owns: the tests of shelves.ts. */
import { expect, test } from "vitest";
import { decode } from "./codec.ts";
import { DIMENSION_NAMES } from "./dimension.ts";
import { joinParts } from "./parts.ts";
import { emptyRollup, valuesOf } from "./rollup.ts";
import type { Rollup, RollupUnit } from "./rollup.ts";
import { shelve, shelvesFor, shelvesOf } from "./shelves.ts";

/** One view, with a value in every dimension. */
function fullRollup(unit: RollupUnit): Rollup {
  const rollup = emptyRollup(unit, 0);
  rollup.total.views = 1;
  for (const name of DIMENSION_NAMES) {
    valuesOf(rollup, name).cells.set(`a ${name}`, { ...rollup.total });
  }
  return rollup;
}

test("what was put on shelves comes back whole", () => {
  for (const unit of ["hour", "day", "month"] as const) {
    const rollup = fullRollup(unit);
    const shelves = shelve(rollup);
    expect([...shelves.keys()]).toEqual(shelvesOf(unit));
    const parts = shelvesFor(unit, undefined).flatMap((holds) => shelves.get(holds) ?? []);
    expect(joinParts(parts.map((bytes) => decode(bytes)))).toEqual(rollup);
  }
});

test("a dimension of a day or month is in one document, with the total; every dimension is somewhere", () => {
  for (const unit of ["day", "month"] as const) {
    const rollup = fullRollup(unit);
    const shelves = shelve(rollup);
    for (const name of DIMENSION_NAMES) {
      const wanted = new Set([name]);
      const [holds, ...others] = shelvesFor(unit, wanted);
      expect(others).toEqual([]);
      const [bytes, ...more] = shelves.get(holds ?? "all") ?? [];
      expect(more).toEqual([]);
      const found = decode(bytes ?? new ArrayBuffer(0), wanted);
      expect(found.total).toEqual(rollup.total);
      expect(found.dimensions.get(name)).toEqual(rollup.dimensions.get(name));
    }
    expect(shelvesFor(unit, new Set())).toEqual(["total"]);
  }
});

test("an hour is one kind of document, whatever is wanted", () => {
  expect(shelvesFor("hour", undefined)).toEqual(["all"]);
  expect(shelvesFor("hour", new Set(["path"]))).toEqual(["all"]);
  expect(shelvesFor("hour", new Set())).toEqual(["all"]);
});

test("an empty roll-up leaves nothing, and one without dimensions still says that something was counted", () => {
  expect([...shelve(emptyRollup("day", 0)).values()].flat()).toEqual([]);
  const bare = emptyRollup("day", 0);
  bare.total.views = 1;
  const shelves = shelve(bare);
  expect([...shelves].filter(([, parts]) => parts.length > 0).map(([holds]) => holds)).toEqual([
    "total",
    "pages",
  ]);
});
