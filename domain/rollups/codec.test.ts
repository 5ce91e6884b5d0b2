import fc from "fast-check";
import { describe as group, expect, test } from "vitest";
import { calendarOf } from "../calendar/calendar.ts";
import { toWellFormed } from "../text.ts";
import { RollupFormatError, checksum } from "./bytes.ts";
import { type Cell, CELL_METRICS, NEVER, emptyCell } from "./cell.ts";
import { decode, encode } from "./codec.ts";
import { describe } from "./describe.ts";
import { DIMENSION_NAMES, type DimensionName } from "./dimension.ts";
import { ZONES, anyHistory, viewRow } from "./history.helpers.ts";
import { encodeParts, joinParts } from "./parts.ts";
import { hoursOf, loggedRows, rollAll } from "./rolled.helpers.ts";
import { type Rollup, type Values, cellOf, emptyRollup, valuesOf } from "./rollup.ts";

const HOUR_MS = 3_600_000;

const anyCount = fc.oneof(
  fc.integer({ min: -3, max: 300 }),
  fc.integer({ min: -(2 ** 40), max: 2 ** 50 }),
);

/** Before any start that `anyRollup` gives; hours, quarters, and odd milliseconds. */
const anyBefore = fc.oneof(
  fc.integer({ min: -20_000, max: -1 }).map((hours) => hours * HOUR_MS),
  fc.integer({ min: -(2 ** 41), max: -1 }),
);

const anyCell: fc.Arbitrary<Cell> = fc
  .record({
    counts: fc.array(anyCount, { minLength: CELL_METRICS.length, maxLength: CELL_METRICS.length }),
    before: fc.uniqueArray(fc.oneof(fc.constant(NEVER), anyBefore), { maxLength: 6 }),
    visitors: fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 6, maxLength: 6 }),
  })
  .map(({ counts, before, visitors }) => {
    const cell = emptyCell();
    for (const [index, metric] of CELL_METRICS.entries()) cell[metric] = counts[index] ?? 0;
    cell.previousStarts = before.sort((a, b) => (a < b ? -1 : 1));
    cell.visitors = before.map((_, index) => visitors[index] ?? 1);
    return cell;
  });

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 6 }).map(toWellFormed),
  fc.constantFrom(
    "",
    "/blog/a",
    "/blog/ab",
    "/blog/😀",
    "/blog/😁",
    "\uFEFF",
    "\0",
    "__proto__",
    "(other)",
  ),
);

const anyValues: fc.Arbitrary<Values> = fc.record({
  cells: fc
    .uniqueArray(fc.tuple(anyText, anyCell), { maxLength: 8, selector: ([text]) => text })
    .map((entries) => new Map(entries)),
  other: fc.option(anyCell, { nil: null }),
});

const anyRollup: fc.Arbitrary<Rollup> = fc
  .record({
    unit: fc.constantFrom("hour" as const, "day" as const, "month" as const),
    startsAt: fc.integer({ min: 0, max: 2 ** 42 }),
    total: anyCell,
    dimensions: fc
      .uniqueArray(fc.tuple(fc.constantFrom(...DIMENSION_NAMES), anyValues), {
        maxLength: 6,
        selector: ([name]) => name,
      })
      .map((entries) => new Map<DimensionName, Values>(entries)),
  })
  .map((rollup) => ({ ...rollup, startsAt: rollup.startsAt, ...shifted(rollup) }));

/** Cells were drawn relative to 0; a roll-up that begins later needs them before its own start. */
function shifted({
  startsAt,
  total,
  dimensions,
}: Omit<Rollup, "unit">): Pick<Rollup, "total" | "dimensions"> {
  const move = (cell: Cell): Cell => ({
    ...cell,
    previousStarts: cell.previousStarts.map((at) => at + startsAt),
  });
  return {
    total: move(total),
    dimensions: new Map(
      [...dimensions].map(([name, values]) => [
        name,
        {
          cells: new Map([...values.cells].map(([value, cell]) => [value, move(cell)])),
          other: values.other === null ? null : move(values.other),
        },
      ]),
    ),
  };
}

group("bytes", () => {
  test("any roll-up comes back as it was", () => {
    fc.assert(
      fc.property(anyRollup, (rollup) => {
        expect(decode(encode(rollup))).toEqual(rollup);
      }),
      { numRuns: 500 },
    );
  });

  test("equal roll-ups have equal bytes, in whatever order their values came", () => {
    fc.assert(
      fc.property(anyRollup, (rollup) => {
        const turned: Rollup = {
          ...rollup,
          dimensions: new Map(
            [...rollup.dimensions]
              .reverse()
              .map(([name, values]) => [
                name,
                { ...values, cells: new Map([...values.cells].reverse()) },
              ]),
          ),
        };
        expect(new Uint8Array(encode(turned))).toEqual(new Uint8Array(encode(rollup)));
      }),
      { numRuns: 200 },
    );
  });

  test("hours, days and months of random histories come back as they were", () => {
    const [zone, startsAt] = ZONES[2] ?? ["UTC", 0];
    const calendar = calendarOf(zone);
    fc.assert(
      fc.property(anyHistory(startsAt), (history) => {
        const rolled = rollAll(hoursOf(loggedRows(history), calendar), calendar);
        for (const rollup of Object.values(rolled).flatMap((rollups) => [...rollups.values()])) {
          expect(decode(encode(rollup))).toEqual(rollup);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("a reader that wants one dimension gets it and the total alone", () => {
    fc.assert(
      fc.property(anyRollup, fc.constantFrom(...DIMENSION_NAMES), (rollup, wanted) => {
        const read = decode(encode(rollup), new Set([wanted]));
        const values = rollup.dimensions.get(wanted);
        const expected = new Map(values === undefined ? [] : [[wanted, values]]);
        expect(read).toEqual({ ...rollup, dimensions: expected });
      }),
      { numRuns: 200 },
    );
  });

  test("a quiet hour is small: one view with twenty dimensions takes less than 150 bytes", () => {
    const calendar = calendarOf("UTC");
    const history = [viewRow({ visitor: 1, at: 7 * HOUR_MS, path: "/", country: "ES" })];
    for (const hour of hoursOf(loggedRows(history), calendar).values()) {
      expect(encode(hour).byteLength).toBeLessThan(150);
    }
  });

  test("numbers that are not whole are refused before anything is stored", () => {
    const rollup = emptyRollup("hour", 0);
    rollup.total.durationMs = 0.5;
    expect(() => encode(rollup)).toThrow("whole numbers");
    expect(() => encode(emptyRollup("hour", Number.NaN))).toThrow("whole numbers");
  });

  test("a visitor who was active before at a later time is refused", () => {
    const rollup = emptyRollup("hour", HOUR_MS);
    rollup.total.previousStarts = [HOUR_MS];
    rollup.total.visitors = [1];
    expect(() => encode(rollup)).toThrow("cannot have been active before");
  });
});

group("damage", () => {
  test("any changed byte, any cut and any addition gives a RollupFormatError and nothing else", () => {
    const anyDamage = fc.record({
      at: fc.nat(),
      flip: fc.integer({ min: 1, max: 255 }),
      kind: fc.constantFrom("change", "cut", "add"),
    });
    fc.assert(
      fc.property(anyRollup, anyDamage, (rollup, { at, flip, kind }) => {
        const bytes = new Uint8Array(encode(rollup));
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ flip;
        const broken = {
          change: bytes,
          cut: bytes.slice(0, place),
          add: new Uint8Array([...bytes, flip]),
        }[kind];
        expect(() => decode(broken.slice().buffer)).toThrow(RollupFormatError);
      }),
      { numRuns: 500 },
    );
  });

  test("damage that the checksum happens to match gives a roll-up or a RollupFormatError, never another failure", () => {
    fc.assert(
      fc.property(anyRollup, fc.nat(), fc.integer({ min: 1, max: 255 }), (rollup, at, flip) => {
        const bytes = new Uint8Array(encode(rollup));
        const place = 6 + (at % (bytes.length - 6));
        bytes[place] = (bytes[place] ?? 0) ^ flip;
        new DataView(bytes.buffer).setUint32(2, checksum(bytes.subarray(6)));
        try {
          expect(typeof decode(bytes.buffer).startsAt).toBe("number");
        } catch (error) {
          expect(error).toBeInstanceOf(RollupFormatError);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("random bytes never crash in another way, nor take long", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => decode(bytes.slice().buffer)).toThrow(RollupFormatError);
        expect(describe(bytes.slice().buffer)).toMatch(/^\d+ bytes: /);
      }),
    );
  });

  test("each kind says what is wrong and what to do", () => {
    const bytes = new Uint8Array(encode(emptyRollup("hour", 0)));
    const with_ = (index: number, value: number) => {
      const changed = bytes.slice();
      changed[index] = value;
      return changed.buffer;
    };
    expect(() => decode(new ArrayBuffer(0))).toThrow("These 0 bytes are no roll-up.");
    expect(() => decode(with_(1, 2))).toThrow(
      /newer Footfall: its format is 2, and this one reads 1.*stats:repair/,
    );
    expect(() => decode(with_(9, 7))).toThrow(/damaged: its checksum does not match.*stats:repair/);
  });
});

group("parts", () => {
  const anyLimit = fc.integer({ min: 200, max: 2_000 });

  test("joined parts are the roll-up, each part can be read alone and names its dimensions", () => {
    fc.assert(
      fc.property(anyRollup, anyLimit, (rollup, maxBytes) => {
        const parts = encodeParts(rollup, maxBytes);
        const read = parts.map((part) => decode(part.bytes));
        expect(joinParts(read)).toEqual(rollup);
        for (const [index, part] of parts.entries()) {
          expect([...(read[index]?.dimensions.keys() ?? [])]).toEqual(part.dimensions);
          expect(read[index]?.total).toEqual(rollup.total);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("a day with 25,000 long paths is cut into documents below 128 KiB, and a usual one is not cut", () => {
    const rollup = emptyRollup("day", 20_000 * 24 * HOUR_MS);
    for (let index = 0; index < 25_000; index++) {
      const cell = cellOf(valuesOf(rollup, "path"), `/${"x".repeat(index % 90)}/${index * 7919}`);
      cell.views = index;
      rollup.total.views += index;
    }
    cellOf(valuesOf(rollup, "country"), "ES").views = rollup.total.views;
    const parts = encodeParts(rollup);
    expect(parts.length).toBeGreaterThan(1);
    for (const { bytes } of parts) expect(bytes.byteLength).toBeLessThanOrEqual(120_000);
    expect(parts.filter((part) => part.dimensions.includes("country"))).toHaveLength(1);
    expect(joinParts(parts.map((part) => decode(part.bytes)))).toEqual(rollup);
    expect(encodeParts(emptyRollup("day", 0))).toHaveLength(1);
  });

  test("parts of two buckets are not joined", () => {
    expect(() => joinParts([emptyRollup("hour", 0), emptyRollup("hour", HOUR_MS)])).toThrow(
      "joinParts()",
    );
    expect(() => joinParts([])).toThrow("at least one");
  });
});

group("describe", () => {
  test("says the bucket, the total and the values in words", () => {
    const calendar = calendarOf("UTC");
    const history = [
      viewRow({ visitor: 1, at: Date.UTC(2026, 2, 1, 10, 5), path: "/a", country: "ES" }),
      viewRow({ visitor: 1, at: Date.UTC(2026, 2, 1, 12), path: "/b", country: "ES" }),
    ];
    const [, noon] = [...hoursOf(loggedRows(history), calendar).values()];
    const text = describe(encode(noon ?? emptyRollup("hour", 0)));
    expect(text).toMatch(/^hour 2026-03-01T12:00:00.000Z in \d+ bytes\n/);
    expect(text).toContain(
      "total: views 1, visits 1, bounces 1, visitors: 1 last active 2026-03-01T10:00:00.000Z",
    );
    expect(text).toContain('country: 1 values\n  "ES": views 1');
  });
});
