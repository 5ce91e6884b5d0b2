import fc from "fast-check";
import { expect, test } from "vitest";
import { ReadIndex } from "./read-index.ts";

const key = fc.string({ unit: fc.constantFrom("i", "j", "k"), minLength: 4, maxLength: 8 });
const range = fc.oneof(
  fc.tuple(key, key),
  key.map((each) => [each, `${each}\x00`] as const),
);
const readers = fc.array(fc.array(range), { maxLength: 6 });

test("finds exactly the readers with a range around a written key, after any change of what they read", () => {
  fc.assert(
    fc.property(readers, readers, fc.array(key, { maxLength: 5 }), (before, after, written) => {
      const index = new ReadIndex<number>();
      before.forEach((ranges, reader) => index.set(reader, ranges));
      after.forEach((ranges, reader) => index.set(reader, ranges));
      before.forEach((_, reader) => {
        if (reader >= after.length) index.delete(reader);
      });
      const expected = after.flatMap((ranges, reader) =>
        ranges.some(([lo, hi]) => written.some((each) => lo <= each && each < hi)) ? [reader] : [],
      );
      expect([...index.readersOf(written)].sort()).toEqual(expected);
    }),
  );
});
