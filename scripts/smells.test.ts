import { expect, test } from "vitest";
import { longFiles, lostPointers, repeatedConstants } from "./smells.ts";

const lines = (count: number) => "call();\n".repeat(count);

test("a file of 301 lines is flagged, one of 300 is not", () => {
  expect(longFiles([{ path: "engine/a.ts", text: lines(301) }])).toMatchObject([
    { file: "engine/a.ts" },
  ]);
  expect(longFiles([{ path: "engine/a.ts", text: lines(300) }])).toEqual([]);
});

test("a long file that gives its reason on line one is not flagged, nor is a long test", () => {
  const reason = "// Longer than the cap because the table must be read as one.\n";
  expect(longFiles([{ path: "engine/a.ts", text: reason + lines(400) }])).toEqual([]);
  expect(longFiles([{ path: "engine/a.test.ts", text: lines(400) }])).toEqual([]);
});

test("a constant with one name in two files is flagged where it stands the second time", () => {
  const files = [
    { path: "a.ts", text: "export const WINDOW_MS = 1;\n" },
    { path: "b.ts", text: "\n  const WINDOW_MS = 2;\nconst windowMs = 3;\n" },
  ];
  expect(repeatedConstants(files)).toEqual([
    { file: "b.ts", line: 2, message: "the constant WINDOW_MS stands at a.ts:1 too." },
  ]);
});

test("a test may call its own example as it likes", () => {
  const text = "const WINDOW_MS = 1;\n";
  expect(
    repeatedConstants([
      { path: "a.ts", text },
      { path: "a.test.ts", text },
    ]),
  ).toEqual([]);
});

test("a header that points at a file which is not there is flagged, one that names it by the end of its path is not", () => {
  const files = [
    { path: "engine/a.ts", text: "/** Owns: a. Not: b (b.ts, sub/c.ts). */\n// (gone.ts)\n" },
    { path: "engine/b.ts", text: "/** Owns: b. Not: c (c.ts), d (lost/c.ts), e (e.ts). */\n" },
    { path: "engine/sub/c.ts", text: "" },
  ];
  expect(lostPointers(files).map(({ file, message }) => `${file}: ${message}`)).toEqual([
    "engine/b.ts: its header points at lost/c.ts, which is not there.",
    "engine/b.ts: its header points at e.ts, which is not there.",
  ]);
});
