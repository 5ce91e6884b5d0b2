import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clampLine, cutAt, toWellFormed } from "./text.ts";

describe("clampLine", () => {
  test("runs of control characters become one space, and the ends are trimmed", () => {
    expect(clampLine("\n One\u0000\r\ntwo\t", 100)).toBe("One two");
  });

  test("the clamp never cuts a character in half", () => {
    expect(clampLine("a😀", 2)).toBe("a");
    expect(clampLine("a😀", 3)).toBe("a😀");
  });

  test("a text of nothing but blanks is empty", () => {
    expect(clampLine(" \u0000 ", 10)).toBe("");
  });

  test("whatever comes in: one well-formed line of at most the clamp, and a fixed point", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), fc.nat(40), (text, maxLength) => {
        const line = clampLine(text, maxLength);
        expect(line.length).toBeLessThanOrEqual(maxLength);
        expect(line).not.toMatch(/[\p{Cc}\p{Surrogate}]/u);
        expect(clampLine(line, maxLength)).toBe(line);
      }),
    );
  });
});

test("toWellFormed replaces each lone half and leaves pairs alone", () => {
  const half = String.fromCharCode(0xd83d);
  expect(toWellFormed(`${half}😀${half}`)).toBe("\uFFFD😀\uFFFD");
});

test("cutAt leaves a text that fits alone", () => {
  expect(cutAt("abc", 3)).toBe("abc");
});
