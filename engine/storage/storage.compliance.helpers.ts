/**
 * Owns: what every store must do, as tests that take the store as a parameter.
 * Not: what is special about one of them (durability of files, damage, locks).
 */
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { StorageError } from "../errors.ts";
import { pieceTests } from "./pieces.compliance.helpers.ts";
import type { Cursor, Key, Storage, Write } from "./storage.ts";
import { runs } from "../../tests/long.helpers.ts";

/** A fresh store, and what is left of it when the process dies: a store in memory keeps what it flushed. */
export type StoreUnderTest = { readonly storage: Storage; crash(): Storage; dispose(): void };

export function pairsOf(cursor: Cursor): (readonly [Key, string])[] {
  const pairs: (readonly [Key, string])[] = [];
  while (cursor.next()) pairs.push([cursor.key, cursor.value]);
  return pairs;
}

const FIRST = "";
const LAST = "\xff\xff\xff\xff";

export function describeStorage(name: string, open: () => StoreUnderTest): void {
  let opened: StoreUnderTest[] = [];
  const openStore = (): StoreUnderTest => {
    const store = open();
    opened.push(store);
    return store;
  };
  afterEach(() => {
    for (const store of opened) store.dispose();
    opened = [];
  });

  describe(`${name}: reading`, () => readingTests(() => openStore().storage));
  describe(`${name}: walking a range`, () => rangeTests(() => openStore().storage));
  describe(`${name}: groups`, () => groupTests(openStore));
  describe(`${name}: pieces of files`, () => pieceTests(openStore));
  describe(`${name}: snapshots`, () => snapshotTests(() => openStore().storage));
  describe(`${name}: as a sorted map`, () => modelTests(openStore));
}

function readingTests(open: () => Storage): void {
  test("a key that nobody wrote holds nothing", () => {
    expect(open().get("a")).toBeUndefined();
  });

  test("what is applied can be read at once, before it is flushed", () => {
    const storage = open();
    storage.apply([["a", "1"]]);
    expect(storage.get("a")).toBe("1");
    expect(pairsOf(storage.range(FIRST, LAST, "asc"))).toEqual([["a", "1"]]);
  });

  test("a later write wins, and null removes", () => {
    const storage = open();
    storage.apply([["a", "1"], ["a", "2"], ["b", "3"]]); // prettier-ignore
    expect(storage.get("a")).toBe("2");
    storage.apply([["a", null], ["missing", null]]); // prettier-ignore
    expect(storage.get("a")).toBeUndefined();
    expect(storage.get("b")).toBe("3");
  });

  test("keys are bytes: NUL, 255 and the empty key are keys like others", () => {
    const storage = open();
    const keys = ["", "\0", "\0\0", "a", "a\0", "a\xff", "\x80", "\xff", "\xff\xff"];
    storage.apply(keys.map((key, i) => [key, String(i)]));
    expect(pairsOf(storage.range(FIRST, LAST, "asc")).map(([key]) => key)).toEqual(keys.sort());
    for (const key of keys) expect(storage.get(key)).toBeDefined();
  });

  test("a value comes back unchanged: empty, long, beyond the basic plane, with an embedded NUL", () => {
    const storage = open();
    const values = ["", "😀é", "x".repeat(300_000), "a\0b", '"\\ud800"'];
    storage.apply(values.map((value, i) => [`k${i}`, value]));
    storage.flush();
    expect(pairsOf(storage.range(FIRST, LAST, "asc")).map(([, value]) => value)).toEqual(values);
  });

  test("after close everything but close fails with a coded error", () => {
    const storage = open();
    storage.apply([["a", "1"]]);
    storage.close();
    storage.close();
    const uses = [
      () => storage.get("a"),
      () => storage.range("a", "b", "asc").next(),
      () => storage.apply([["a", "2"]]),
      () => storage.flush(),
      () => storage.discard(),
      () => storage.piece("a", 0),
      () => storage.pieceNumbers("a", 1),
    ];
    for (const use of uses) {
      expect(use).toThrow(StorageError);
      expect(use).toThrow(/ is closed\.$/);
    }
  });
}

function rangeTests(open: () => Storage): void {
  const filled = (count: number): Storage => {
    const storage = open();
    storage.apply(
      Array.from({ length: count }, (_, i): Write => [String(i).padStart(4, "0"), `v${i}`]),
    );
    return storage;
  };

  test("the start belongs to a range, the end does not", () => {
    const storage = filled(5);
    const keys = (lo: Key, hi: Key): Key[] =>
      pairsOf(storage.range(lo, hi, "asc")).map(([key]) => key);
    expect(keys("0001", "0003")).toEqual(["0001", "0002"]);
    expect(keys("0003", "0003")).toEqual([]);
    expect(keys("0003", "0001")).toEqual([]);
    expect(keys("0004", LAST)).toEqual(["0004"]);
  });

  test("a descending walk is the ascending one backwards, over many pages", () => {
    const storage = filled(1_000);
    const ascending = pairsOf(storage.range("0010", "0990", "asc"));
    expect(ascending).toHaveLength(980);
    expect(pairsOf(storage.range("0010", "0990", "desc"))).toEqual([...ascending].reverse());
  });

  test("two walks at a time do not disturb each other, nor do reads between them", () => {
    const storage = filled(100);
    const up = storage.range(FIRST, LAST, "asc");
    const down = storage.range(FIRST, LAST, "desc");
    for (let i = 0; i < 100; i++) {
      expect(up.next() && down.next()).toBe(true);
      expect(storage.get(up.key)).toBe(up.value);
      expect(Number(up.key) + Number(down.key)).toBe(99);
    }
    expect(up.next() || down.next()).toBe(false);
    expect(up.next()).toBe(false);
  });

  test("a cursor without a current pair says so", () => {
    const cursor = filled(1).range(FIRST, LAST, "asc");
    expect(() => cursor.key).toThrow("only after next() gave true");
    cursor.next();
    cursor.next();
    expect(() => cursor.value).toThrow("only after next() gave true");
  });

  test("a cursor that outlives a change is an error, not a wrong answer", () => {
    const storage = filled(3);
    for (const change of [() => storage.apply([["x", "1"]]), () => storage.discard()]) {
      const cursor = storage.range(FIRST, LAST, "asc");
      change();
      expect(() => cursor.next()).toThrow("after the store changed");
    }
  });
}

function groupTests(open: () => StoreUnderTest): void {
  test("discard forgets what was applied since the last flush, and only that", () => {
    const { storage } = open();
    storage.apply([["a", "1"], ["b", "1"]]); // prettier-ignore
    storage.flush();
    storage.apply([["a", "2"], ["b", null], ["c", "2"]]); // prettier-ignore
    storage.apply([["a", "3"]]);
    expect(storage.get("a")).toBe("3");
    storage.discard();
    expect(pairsOf(storage.range(FIRST, LAST, "asc"))).toEqual([["a", "1"], ["b", "1"]]); // prettier-ignore
    expect(storage.get("a")).toBe("1");
  });

  test("a flush and a discard with nothing applied change nothing", () => {
    const { storage } = open();
    storage.flush();
    storage.discard();
    storage.apply([["a", "1"]]);
    storage.flush();
    storage.flush();
    storage.discard();
    expect(storage.get("a")).toBe("1");
  });

  test("what is flushed survives a crash, what is not does not", () => {
    const store = open();
    store.storage.apply([["a", "1"]]);
    store.storage.flush();
    store.storage.apply([["a", "2"], ["b", "2"]]); // prettier-ignore
    expect(pairsOf(store.crash().range(FIRST, LAST, "asc"))).toEqual([["a", "1"]]);
  });
}

type Step =
  | { readonly kind: "apply"; readonly writes: readonly Write[] }
  | { readonly kind: "flush" | "discard" | "crash" };

const anyKey = fc.oneof(
  fc.constantFrom("", "a", "a\0", "b", "ba", "\xff"),
  fc.array(fc.nat(255), { maxLength: 3 }).map((bytes) => String.fromCharCode(...bytes)),
);
const anyWrite: fc.Arbitrary<Write> = fc.tuple(
  anyKey,
  fc.option(fc.string({ maxLength: 4 }), { nil: null, freq: 3 }),
);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.array(anyWrite, { maxLength: 5 }).map(toApply) },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ kind: "flush" }, { kind: "discard" }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "crash" }) },
);

function toApply(writes: Write[]): Step {
  return { kind: "apply", writes };
}

function snapshotTests(open: () => Storage): void {
  test("show what was flushed when they were opened, whatever is written meanwhile", () => {
    const storage = open();
    storage.apply([["a", "1"], ["b", "2"], ["c", "3"]]); // prettier-ignore
    storage.flush();
    storage.apply([["a", "not flushed"], ["d", "4"]]); // prettier-ignore
    const snapshot = storage.snapshot();
    storage.apply([["b", null], ["e", "5"]]); // prettier-ignore
    storage.flush();
    expect(snapshot.page(FIRST, LAST, 2)).toEqual([["a", "1"], ["b", "2"]]); // prettier-ignore
    expect(snapshot.page("b\0", LAST, 2)).toEqual([["c", "3"]]);
    expect(snapshot.count("b", LAST)).toBe(2);
    expect(snapshot.get("b")).toBe("2");
    expect(snapshot.get("d")).toBeUndefined();
    snapshot.close();
    snapshot.close();
    expect(storage.get("e")).toBe("5");
  });
}

function modelTests(open: () => StoreUnderTest): void {
  test("any history of applies, flushes, discards and crashes reads like a sorted array", () => {
    const history = fc.array(anyStep, { maxLength: 12 });
    fc.assert(
      fc.property(history, anyKey, anyKey, (steps, lo, hi) => {
        const store = open();
        let { storage } = store;
        let flushed = new Map<Key, string>();
        let current = new Map<Key, string>();
        for (const step of steps) {
          if (step.kind === "apply") {
            storage.apply(step.writes);
            applyToModel(current, step.writes);
          } else if (step.kind === "flush") {
            storage.flush();
            flushed = new Map(current);
          } else {
            if (step.kind === "crash") storage = store.crash();
            else storage.discard();
            current = new Map(flushed);
          }
          const expected = [...current]
            .filter(([key]) => lo <= key && key < hi)
            .sort(([a], [b]) => (a < b ? -1 : 1));
          expect(pairsOf(storage.range(lo, hi, "asc"))).toEqual(expected);
          expect(pairsOf(storage.range(lo, hi, "desc"))).toEqual(expected.reverse());
          expect(storage.get(lo)).toBe(current.get(lo));
        }
        store.dispose();
      }),
      { numRuns: runs(60, 3_000) },
    );
  });
}

function applyToModel(model: Map<Key, string>, writes: readonly Write[]): void {
  for (const [key, value] of writes) {
    if (value === null) model.delete(key);
    else model.set(key, value);
  }
}
