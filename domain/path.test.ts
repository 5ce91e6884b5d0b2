import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_PATH_LENGTH } from "./limits.ts";
import { normalisePath } from "./path.ts";

const LONE_HIGH = String.fromCharCode(0xd83d);
const LONE_LOW = String.fromCharCode(0xde00);
const RIGHT_TO_LEFT_OVERRIDE = String.fromCharCode(0x202e);

describe("one path has one form", () => {
  test.each([
    ["C23: the query is not part of it", "/p?q=1", "/p"],
    ["nor is the hash, whichever comes first", "/p#a?b", "/p"],
    ["C24: a slash at the end is cut", "/a/", "/a"],
    ["C24: the root stays", "/", "/"],
    ["only slashes are the root", "///", "/"],
    ["nothing is the root", "", "/"],
    ["a missing first slash is added", "a/b", "/a/b"],
    ["C26: what is encoded is decoded", "/k%C3%B6nnte", "/könnte"],
    ["C26: also beyond the first plane", "/%F0%9F%98%80", "/😀"],
    ["in either case of the digits", "/%c3%b6", "/ö"],
    ["a space too", "/a%20b", "/a b"],
    ["letters that nobody had to encode", "/%61", "/a"],
    ["an encoded percent sign stays encoded", "/100%25", "/100%25"],
    ["a bare one becomes encoded", "/100%", "/100%25"],
    ["so decoding twice is no other path", "/%2541", "/%2541"],
    ["an encoded slash is no separator", "/a%2fb", "/a%2Fb"],
    ["an encoded question mark begins no query", "/a%3Fb", "/a%3Fb"],
    ["an encoded hash begins no fragment", "/a%23b", "/a%23b"],
    ["bytes that are no UTF-8 stay", "/%ff%C3", "/%FF%C3"],
    ["an encoded half of a pair stays", "/%ED%A0%80", "/%ED%A0%80"],
    ["C28: a lone high surrogate is U+FFFD", `/x${LONE_HIGH}`, "/x\uFFFD"],
    ["C28: a lone low surrogate is U+FFFD", `/${LONE_LOW}x`, "/\uFFFDx"],
    ["a control character is shown encoded", "/a\u0000\n", "/a%00%0A"],
    ["and is the same path when it came encoded", "/a%00%0a", "/a%00%0A"],
    ["text cannot turn its direction", `/a${RIGHT_TO_LEFT_OVERRIDE}b`, "/a%E2%80%AEb"],
  ])("%s", (_what, input, expected) => {
    expect(normalisePath(input)).toBe(expected);
  });
});

describe("long paths", () => {
  test("C23: 5 kB are clamped", () => {
    expect(normalisePath(`/${"x".repeat(5_000)}`)).toHaveLength(MAX_PATH_LENGTH);
  });

  test("no character is cut in half, encoded or not", () => {
    const beforeCut = "x".repeat(MAX_PATH_LENGTH - 2);
    expect(normalisePath(`/${beforeCut}😀`)).toBe(`/${beforeCut}`);
    expect(normalisePath(`/${beforeCut}%FF`)).toBe(`/${beforeCut}`);
  });

  test("encoded text of the full length is kept whole", () => {
    const text = "😀".repeat((MAX_PATH_LENGTH - 2) / 2);
    expect(normalisePath(`/${encodeURIComponent(text)}`)).toBe(`/${text}`);
  });
});

describe("whatever comes in", () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc
      .array(
        fc.constantFrom("%", "%2", "%25", "%C3%B6", "%E2%80%AE", "/", "a", "?", "😀", LONE_HIGH),
      )
      .map((parts) => parts.join("")),
    fc.string({ minLength: 1_000, maxLength: 3_000 }),
  );

  test("the form is a fixed point: normalising again changes nothing", () => {
    fc.assert(
      fc.property(hostile, (input) => {
        const path = normalisePath(input);
        expect(normalisePath(path)).toBe(path);
      }),
    );
  });

  test("the form can be stored: rooted, bounded, well-formed, without query, hash or controls", () => {
    fc.assert(
      fc.property(hostile, (input) => {
        const path = normalisePath(input);
        expect(path).toMatch(/^\/([^?#\p{Cc}]*[^?#\p{Cc}/])?$/u);
        expect(path.length).toBeLessThanOrEqual(MAX_PATH_LENGTH);
        expect(path).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });

  test("a path and its encoded form are one path", () => {
    const segment = fc
      .string({ unit: "grapheme", maxLength: 20 })
      .filter((text) => !/[%?#/]/.test(text));
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 5 }), (segments) => {
        const encoded = segments.map(encodeURIComponent).join("/");
        expect(normalisePath(`/${encoded}`)).toBe(normalisePath(`/${segments.join("/")}`));
      }),
    );
  });
});
