/**
 * Owns: cutting a roll-up into parts that each fit a document, and joining them again.
 * Not: the bytes of a part (codec.ts), which documents hold them (convex/).
 */
import { encode } from "./codec.ts";
import { DIMENSION_NAMES, type DimensionName } from "./dimension.ts";
import { type Rollup, type Values, addValues, valuesOf } from "./rollup.ts";

/** A document stays below 128 KiB; this leaves room for its other fields. */
export const MAX_PART_BYTES = 120_000;

export interface RollupPart {
  bytes: ArrayBuffer;
  /** What this part has values of. A dimension that alone is too large lies in several parts. */
  dimensions: DimensionName[];
}

/** One part in nearly all cases. Every part carries the total and can be read alone. */
export function encodeParts(rollup: Rollup, maxBytes = MAX_PART_BYTES): RollupPart[] {
  const whole = encode(rollup);
  if (whole.byteLength <= maxBytes) return [{ bytes: whole, dimensions: namesOf(rollup) }];
  const slices = DIMENSION_NAMES.flatMap((name) => {
    const values = rollup.dimensions.get(name);
    return values === undefined ? [] : slicesOf(rollup, name, values, maxBytes);
  });
  const parts: RollupPart[] = [];
  let open: Rollup = { ...rollup, dimensions: new Map() };
  let openBytes = 0;
  for (const { slice, bytes } of slices) {
    if (openBytes + bytes > maxBytes && openBytes > 0) {
      parts.push({ bytes: encode(open), dimensions: namesOf(open) });
      open = { ...rollup, dimensions: new Map() };
      openBytes = 0;
    }
    for (const [name, values] of slice.dimensions) addValues(valuesOf(open, name), values);
    openBytes += bytes;
  }
  parts.push({ bytes: encode(open), dimensions: namesOf(open) });
  return parts;
}

/** The parts of one roll-up, all or only some of them, as one. */
export function joinParts(parts: readonly Rollup[]): Rollup {
  const [first] = parts;
  if (first === undefined) throw new Error("joinParts() got no parts; it needs at least one.");
  const joined: Rollup = { ...first, dimensions: new Map() };
  for (const part of parts) {
    if (part.unit !== first.unit || part.startsAt !== first.startsAt) {
      throw new Error(
        `joinParts() got parts of the ${first.unit} ${first.startsAt} and of the ${part.unit} ${part.startsAt}.`,
      );
    }
    for (const [name, values] of part.dimensions) addValues(valuesOf(joined, name), values);
  }
  return joined;
}

interface Slice {
  slice: Rollup;
  /** Alone; together with others it takes less, because they share the head. */
  bytes: number;
}

function slicesOf(rollup: Rollup, name: DimensionName, values: Values, maxBytes: number): Slice[] {
  const slice: Rollup = { ...rollup, dimensions: new Map([[name, values]]) };
  const bytes = encode(slice).byteLength;
  if (bytes <= maxBytes || values.cells.size < 2) return [{ slice, bytes }];
  const cells = [...values.cells];
  const middle = Math.ceil(cells.length / 2);
  const halves: Values[] = [
    { cells: new Map(cells.slice(0, middle)), other: values.other },
    { cells: new Map(cells.slice(middle)), other: null },
  ];
  return halves.flatMap((half) => slicesOf(rollup, name, half, maxBytes));
}

function namesOf(rollup: Rollup): DimensionName[] {
  return DIMENSION_NAMES.filter((name) => rollup.dimensions.has(name));
}
