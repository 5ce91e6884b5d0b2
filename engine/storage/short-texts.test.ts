import fc from "fast-check";
import { expect, test } from "vitest";
import { StorageError } from "../errors.ts";
import { dictionaryOf } from "./dictionaries.ts";
import { MAX_SHORT_TEXT_BYTES, ShortTexts } from "./short-texts.ts";

const WORDS = ['","path":"', "/posts/", "\\nChrome\\n", "\u{1F600}", "é", "\u0000", "ffff", "2026"];
const textOf = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.string({ unit: fc.constantFrom(..."0123456789abcdefz_A+"), maxLength: 700 }),
  fc
    .array(fc.oneof(fc.constantFrom(...WORDS), fc.stringMatching(/^[a-z0-9]{0,40}$/)))
    .map((all) => all.join("")),
);

const packed = (texts: ShortTexts, text: string): Uint8Array =>
  new Uint8Array(texts.pack(text) ?? expect.fail("The text is too long."));

test("whatever is packed comes back as it was, with any dictionary, also one that a reader has from elsewhere", () => {
  fc.assert(
    fc.property(textOf, fc.array(textOf, { minLength: 1, maxLength: 5 }), (words, texts) => {
      const dictionary = Buffer.from(words).subarray(0, 3_584);
      const [writer, reader] = [new ShortTexts(dictionary), new ShortTexts(dictionary)];
      const all = texts.map((text) => packed(writer, text));
      expect(all.map((bytes) => reader.unpack(bytes))).toEqual(texts);
    }),
  );
});

test("numbers, hashes and ids take as many bits as their alphabet needs", () => {
  const none = new ShortTexts(new Uint8Array());
  const sizes = {
    "1796338017574": 1 + 7,
    f89f5915c55ea7c09cfd9fe1282c9751: 2 + 16,
    jx70d267detsjejwt05kk2vyve5hc8mk: 2 + 20,
    QUJDREVGR0hJSktMTU5PUFFSU1RVVldY: 2 + 24,
  };
  for (const [text, bytes] of Object.entries(sizes)) {
    expect(packed(none, text)).toHaveLength(bytes);
    expect(none.unpack(packed(none, text))).toBe(text);
  }
});

test("what stands in the dictionary or earlier in the text takes two bytes, or three when it is long", () => {
  const text = '","sessionId":"';
  expect(packed(new ShortTexts(Buffer.from(text)), text)).toHaveLength(3);
  expect(packed(new ShortTexts(Buffer.from(text)), "session")).toHaveLength(2);
  expect(packed(new ShortTexts(new Uint8Array()), "? ".repeat(100))).toHaveLength(2 + 3);
});

test("a text that is too long is left to others; the longest one is not", () => {
  const texts = new ShortTexts(Buffer.from("é".repeat(1_000)));
  const longest = "é-\u{1F600}".repeat(Math.floor(MAX_SHORT_TEXT_BYTES / 7));
  expect(texts.unpack(packed(texts, longest))).toBe(longest);
  expect(texts.pack("-".repeat(MAX_SHORT_TEXT_BYTES + 1))).toBeNull();
  expect(texts.pack("é".repeat(MAX_SHORT_TEXT_BYTES / 2 + 1))).toBeNull();
});

test("bytes that are no packed text end in a text or in a coded error, and never in a long wait", () => {
  const texts = new ShortTexts(Buffer.from("some words of a dictionary"));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(typeof texts.unpack(bytes)).toBe("string");
    }),
  );
  const endless = Uint8Array.from({ length: 3 * 100 }, (_, at) => [0xf0, 0, 255][at % 3] ?? 0);
  expect(() => texts.unpack(endless)).toThrow(StorageError);
});

test("a dictionary has whole sequences that many texts share, and no piece that few have", () => {
  const texts = Array.from({ length: 100 }, (_, row) =>
    JSON.stringify({
      path: `/only/${row}`,
      browser: row % 2 === 0 ? "Firefox" : "Chrome",
      rare: row < 4 ? "rare" : row,
    }),
  );
  const dictionary = dictionaryOf(texts, 200).toString();
  expect(dictionary).toContain('","browser":"Firefox","rare":');
  expect(dictionary).toContain('","browser":"Chrome","rare":');
  expect(dictionary).not.toMatch(/only|rare"?$|"rare"(?!:)/);
  expect(dictionaryOf(texts, 40).length).toBeLessThanOrEqual(40);
});
