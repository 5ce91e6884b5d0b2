/** Owns: what every store must do with pieces of files; a part of storage.compliance.helpers.ts. */
import { expect, test } from "vitest";
import type { StoreUnderTest } from "./storage.compliance.helpers.ts";

export function pieceTests(open: () => StoreUnderTest): void {
  const file = "\0\xfffile";
  const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

  test("come back as they were written, in the order of their numbers, beside the pairs", () => {
    const { storage } = open();
    const large = new Uint8Array(300_000).map((_, i) => i % 251);
    storage.apply([["a", "1"]], [[file, 10, large], [file, 9, bytes()], ["other", 9, bytes(7)]]); // prettier-ignore
    storage.apply([], [[file, 2, bytes(0, 255)]]);
    expect(storage.piece(file, 2)).toEqual(bytes(0, 255));
    expect(storage.piece(file, 9)).toEqual(bytes());
    expect(storage.piece(file, 10)).toEqual(large);
    expect(storage.piece(file, 3)).toBeUndefined();
    expect(storage.piece("none", 2)).toBeUndefined();
    expect(storage.pieceNumbers(file, 2)).toEqual([2, 9]);
    expect(storage.pieceNumbers(file, 9)).toEqual([2, 9, 10]);
    expect(storage.get("a")).toBe("1");
    expect(storage.get(file)).toBeUndefined();
  });

  test("null removes one, and a later write wins", () => {
    const { storage } = open();
    storage.apply([], [[file, 0, bytes(1)], [file, 1, bytes(2)], [file, 0, bytes(3)]]); // prettier-ignore
    storage.apply([], [[file, 1, null], [file, 5, null]]); // prettier-ignore
    expect(storage.piece(file, 0)).toEqual(bytes(3));
    expect(storage.pieceNumbers(file, 9)).toEqual([0]);
  });

  test("belong to the group: discarded with it, kept by its flush, and in a snapshot as of the last flush", () => {
    const store = open();
    const { storage } = store;
    storage.apply([["a", "1"]], [[file, 0, bytes(1)], [file, 1, bytes(1)]]); // prettier-ignore
    storage.flush();
    storage.apply([["a", "2"]], [[file, 0, bytes(2)], [file, 1, null], [file, 2, bytes(2)]]); // prettier-ignore
    const snapshot = storage.snapshot();
    expect([snapshot.piece(file, 0), snapshot.piece(file, 1), snapshot.piece(file, 2)]).toEqual([
      bytes(1),
      bytes(1),
      undefined,
    ]);
    storage.discard();
    expect(storage.piece(file, 0)).toEqual(bytes(1));
    expect(storage.pieceNumbers(file, 9)).toEqual([0, 1]);
    storage.apply([], [[file, 0, null]]);
    storage.flush();
    expect(snapshot.piece(file, 0)).toEqual(bytes(1));
    snapshot.close();
    storage.apply([], [[file, 1, null]]);
    const after = store.crash();
    expect(after.piece(file, 0)).toBeUndefined();
    expect(after.pieceNumbers(file, 9)).toEqual([1]);
  });
}
