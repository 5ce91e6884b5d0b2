/**
 * Owns: into which documents a roll-up goes: an hour into one kind, a day or month into one for its total and one for
 * each group of dimensions; and which of them a reader needs.
 * Not: cutting what is too large for a document (parts.ts), the rows themselves (convex/).
 */
import { DIMENSIONS, DIMENSION_GROUPS, DIMENSION_NAMES } from "./dimension.ts";
import type { DimensionGroup, DimensionName } from "./dimension.ts";
import { encodeParts } from "./parts.ts";
import { isEmpty } from "./rollup.ts";
import type { Rollup, RollupUnit } from "./rollup.ts";

/** What a document holds. */
export type Holds = "all" | "total" | DimensionGroup;

/** Everything that a roll-up of this unit may lie in. */
export function shelvesOf(unit: RollupUnit): readonly Holds[] {
  return unit === "hour" ? ["all"] : ["total", ...DIMENSION_GROUPS];
}

/** What must be read for the wanted dimensions, or for all of them. Each has the total too. */
export function shelvesFor(
  unit: RollupUnit,
  wanted: ReadonlySet<DimensionName> | undefined,
): readonly Holds[] {
  if (unit === "hour") return ["all"];
  if (wanted === undefined) return DIMENSION_GROUPS;
  if (wanted.size === 0) return ["total"];
  return DIMENSION_GROUPS.filter((group) =>
    [...wanted].some((name) => DIMENSIONS[name].group === group),
  );
}

/** The parts on each shelf; none when the roll-up is empty, or has nothing for the shelf. */
export function shelve(rollup: Rollup): Map<Holds, ArrayBuffer[]> {
  const shelves = new Map<Holds, ArrayBuffer[]>();
  for (const holds of shelvesOf(rollup.unit)) {
    const part = holds === "all" ? rollup : onlyOf(rollup, holds);
    const isLeftOut = isEmpty(rollup) || (part.dimensions.size === 0 && !isAlwaysThere(holds));
    shelves.set(holds, isLeftOut ? [] : encodeParts(part).map(({ bytes }) => bytes));
  }
  return shelves;
}

/** Whether something was counted in a bucket must show in each of these. */
function isAlwaysThere(holds: Holds): boolean {
  return holds === "all" || holds === "total" || holds === "pages";
}

function onlyOf(rollup: Rollup, holds: Holds): Rollup {
  const names = DIMENSION_NAMES.filter((name) => DIMENSIONS[name].group === holds);
  const dimensions: Rollup["dimensions"] = new Map();
  for (const name of names) {
    const values = rollup.dimensions.get(name);
    if (values !== undefined) dimensions.set(name, values);
  }
  return { ...rollup, dimensions };
}
