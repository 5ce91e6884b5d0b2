import fc from "fast-check";
import { expect, test } from "vitest";
import { createMemoryStorage } from "../storage/memory.ts";
import type { Cursor } from "../storage/storage.ts";
import { SortedKeys } from "./sorted-keys.ts";
import { Transaction } from "./transaction.ts";

const key = fc.string({ unit: fc.constantFrom("a", "b", "c", "\x00"), minLength: 1, maxLength: 3 });
const order = fc.constantFrom("asc" as const, "desc" as const);

type Step = { key: string; value: string | null } | "savepoint" | "rollback";
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ key, value: fc.option(fc.string({ maxLength: 2 })) }) },
  fc.constant("savepoint" as const),
  fc.constant("rollback" as const),
);

function pairs(cursor: Cursor): [string, string][] {
  const found: [string, string][] = [];
  while (cursor.next()) found.push([cursor.key, cursor.value]);
  return found;
}

function inRange(
  model: Map<string, string>,
  lo: string,
  hi: string,
  direction: "asc" | "desc",
): [string, string][] {
  const found = [...model].filter(([name]) => lo <= name && name < hi);
  found.sort(([a], [b]) => (a < b ? -1 : 1));
  return direction === "asc" ? found : found.reverse();
}

test("what is withdrawn is as if it had never been written", () => {
  const transaction = new Transaction(createMemoryStorage(), { now: 0, snapshotTs: 0n });
  transaction.put("kept", "1");
  transaction.put("withdrawn", "2");
  transaction.withdraw("withdrawn");
  transaction.withdraw("never written");
  expect(transaction.peek("withdrawn")).toBeUndefined();
  expect(pairs(transaction.range("", "\xff", "asc"))).toEqual([["kept", "1"]]);
  expect(transaction.finish(1n)).toEqual([["kept", "1"]]);
});

test("reads see the store with the transaction's writes over it, whatever was rolled back in between", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(key, fc.string())),
      fc.array(step),
      key,
      key,
      order,
      (stored, steps, lo, hi, direction) => {
        const storage = createMemoryStorage();
        storage.apply(stored);
        const transaction = new Transaction(storage, { now: 0, snapshotTs: 0n });
        let model = new Map(stored);
        const saved: { model: Map<string, string>; at: ReturnType<Transaction["savepoint"]> }[] =
          [];
        for (const each of steps) {
          if (each === "savepoint")
            saved.push({ model: new Map(model), at: transaction.savepoint() });
          else if (each === "rollback") {
            const back = saved.pop();
            if (back === undefined) continue;
            transaction.rollback(back.at);
            model = back.model;
          } else {
            transaction.put(each.key, each.value);
            if (each.value === null) model.delete(each.key);
            else model.set(each.key, each.value);
          }
        }
        expect(pairs(transaction.range(lo, hi, direction))).toEqual(
          inRange(model, lo, hi, direction),
        );
        for (const name of ["a", "b", "ab", lo])
          expect(transaction.peek(name)).toBe(model.get(name));
        storage.apply(transaction.finish(1n));
        expect(pairs(storage.range("", "\xff", "asc"))).toEqual(inRange(model, "", "\xff", "asc"));
      },
    ),
  );
});

test("a cursor that is open sees writes ahead of it and none behind it", () => {
  const storage = createMemoryStorage();
  storage.apply(["a", "c", "e"].map((name) => [name, "old"]));
  const transaction = new Transaction(storage, { now: 0, snapshotTs: 0n });
  const cursor = transaction.range("a", "z", "asc");
  cursor.next();
  transaction.put("0", "behind");
  transaction.put("b", "new");
  transaction.put("c", null);
  transaction.put("e", "changed");
  expect(pairs(cursor)).toEqual([
    ["b", "new"],
    ["e", "changed"],
  ]);
});

test("what a commit tells its readers: written and touched keys, without those that were rolled back", () => {
  const transaction = new Transaction(createMemoryStorage(), { now: 0, snapshotTs: 0n });
  transaction.put("kept", "1");
  const savepoint = transaction.savepoint();
  transaction.put("lost", "1");
  transaction.rollback(savepoint);
  transaction.touch("touched");
  expect(transaction.writtenKeys()).toEqual(["kept", "touched"]);
});

test("overlapping reads are told as one range", () => {
  const transaction = new Transaction(createMemoryStorage(), { now: 0, snapshotTs: 0n });
  transaction.reads.add("m", "p");
  transaction.reads.add("a", "c");
  transaction.reads.add("b", "d");
  transaction.reads.add("x", "x");
  expect(transaction.reads.merged()).toEqual([
    ["a", "d"],
    ["m", "p"],
  ]);
});

test("thousands of keys stay in order", () => {
  const keys = new SortedKeys();
  const names = Array.from({ length: 5000 }, (_, i) => String((i * 7919) % 5000).padStart(4, "0"));
  for (const name of names) keys.add(name);
  expect([...keys]).toEqual([...names].sort());
  expect(keys.atOrAfter("2500")).toBe("2500");
  expect(keys.atOrAfter("2500!")).toBe("2501");
  expect(keys.before("2500")).toBe("2499");
  expect(keys.before("0000")).toBeUndefined();
  expect(keys.atOrAfter("9")).toBeUndefined();
});
