import fc from "fast-check";
import { expect, test } from "vitest";
import { createId, tableNumberOfId } from "./ids.ts";
import { runs } from "../../tests/long.helpers.ts";

const randomBytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
const tableNumber = fc.integer({ min: 1, max: 2 ** 32 - 1 });

test("an id is spelled as Convex spells it: the example of its own test suite", () => {
  const bytes = new Uint8Array(16).fill(251);
  for (let i = 1; i < 16; i++) bytes[i] = ((bytes[i - 1] ?? 0) * 251) & 255;
  expect(createId(1017, bytes)).toBe("z43zp6c3e75gkmz1kfwj6mbbx5sw281h");
});

test("an id tells the number of its table", () => {
  fc.assert(
    fc.property(tableNumber, randomBytes, (number, bytes) => {
      expect(tableNumberOfId(createId(number, bytes))).toBe(number);
    }),
  );
});

test("ids of a small table number have 31 characters, of a larger one 32", () => {
  expect(createId(1, new Uint8Array(16))).toHaveLength(31);
  expect(createId(127, new Uint8Array(16))).toHaveLength(31);
  expect(createId(10_001, new Uint8Array(16))).toHaveLength(32);
});

test("a text with one wrong character is no id", () => {
  fc.assert(
    fc.property(
      tableNumber,
      randomBytes,
      fc.nat(30),
      fc.constantFrom(..."0123456789abcdefghjkmnpqrstvwxyzilouAZ-_é"),
      (number, bytes, position, character) => {
        const id = createId(number, bytes);
        const wrong = id.slice(0, position) + character + id.slice(position + 1);
        if (wrong !== id) expect(tableNumberOfId(wrong)).toBeNull();
      },
    ),
    { numRuns: runs(2_000, 40_000) },
  );
});

test("one id has one spelling: no other text of the same length gives the same bytes", () => {
  const id = createId(5, new Uint8Array(16).fill(7));
  const others = [..."0123456789abcdefghjkmnpqrstvwxyz"].map((last) => id.slice(0, -1) + last);
  expect(others.filter((other) => tableNumberOfId(other) !== null)).toEqual([id]);
});

test("any other text is no id, however long", () => {
  fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => tableNumberOfId(text) === null));
  expect(tableNumberOfId("a".repeat(1_000_000))).toBeNull();
  expect(tableNumberOfId("sssswsgggggggggsgcsssfafffsffks")).toBeNull();
});

test("a wrong table number or too few random bytes are refused", () => {
  expect(() => createId(0, new Uint8Array(16))).toThrow("integer from 1 to");
  expect(() => createId(1.5, new Uint8Array(16))).toThrow("got 1.5");
  expect(() => createId(1, new Uint8Array(15))).toThrow("16 random bytes; got 15");
});
