import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../tests/long.helpers.ts";
import { FunctionError } from "../errors.ts";
import type { JSONObject } from "../values/kinds.ts";
import { rowsOfCsv } from "./csv.ts";

async function rows(...chunks: (string | Uint8Array)[]): Promise<JSONObject[]> {
  const found: JSONObject[] = [];
  const bytes = chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk));
  for await (const row of rowsOfCsv(Readable.from(bytes))) found.push(row);
  return found;
}

test("a cell that is a number is a number, everything else is text", async () => {
  const cells = [
    "1",
    "-0.5",
    "+2e3",
    ".5",
    "7.",
    "1,5",
    "0x10",
    "NaN",
    "1e999",
    "-0",
    " 1",
    "true",
    "2026-11-30",
  ];
  const line = cells.map((cell) => (cell.includes(",") ? `"${cell}"` : cell)).join(",");
  const header = cells.map((_, i) => `c${i}`).join(",");
  const [row = {}] = await rows(`${header}\n${line}\n`);
  expect(Object.values(row)).toEqual([
    1,
    -0.5,
    2000,
    0.5,
    7,
    "1,5",
    "0x10",
    "NaN",
    "1e999",
    "-0",
    " 1",
    "true",
    "2026-11-30",
  ]);
});

test("quoted cells hold commas, quotes and line breaks; an empty cell is an empty text", async () => {
  expect(await rows('name,note,n\r\n"a, ""b""","two\r\nlines",\r\n"",x,"4"\r\n')).toEqual([
    { name: 'a, "b"', note: "two\r\nlines", n: "" },
    { name: "", note: "x", n: 4 },
  ]);
});

test("a byte order mark, empty lines and a missing last line break change nothing", async () => {
  expect(await rows("\uFEFFa,b\n\n1,2\n\n3,4")).toEqual([
    { a: 1, b: 2 },
    { a: 3, b: 4 },
  ]);
});

/** None is a number. */
const anyCell = fc
  .oneof(fc.string(), fc.constantFrom("", '"', '""', ",", "\n", "\r\n", "é😀", "a\rb"))
  .map((text) => (/^[+-.\d]/.test(text) ? `text ${text}` : text));

test("what was written by the rules is read as it was, wherever the file is cut into chunks", async () => {
  const table = fc.array(fc.record({ x: anyCell, y: anyCell }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(table, fc.nat(), async (lines, cutAt) => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const records = lines.map(({ x, y }) => `${quoted(x)},${quoted(y)}`);
      const file = Buffer.from(`x,y\n${records.join("\n")}\n`);
      const cut = cutAt % file.length;
      expect(await rows(file.subarray(0, cut), file.subarray(cut))).toEqual(lines);
    }),
    { numRuns: runs(100, 5_000) },
  );
});

test.each([
  ["a row that is too short", "a,b\n1\n", "Row 2 has 1 cells, and the header has 2 names."],
  ["a row that is too long", "a\n1,2\n", "Row 2 has 2 cells"],
  ["a name that comes twice", "a,a\n1,2\n", 'the field "a" twice'],
  ["a column without a name", "a,\n1,2\n", "no name for column 2"],
  ["an empty file", "", "has no header"],
  ["a quote that nobody closes", 'a\n"b\n', "Row 2 ends inside of a quoted cell"],
])("%s is refused with its row", async (_, file, sentence) => {
  await expect(rows(file)).rejects.toThrow(sentence);
  await expect(rows(file)).rejects.toThrow(FunctionError);
});

test("bytes that are no UTF-8 are refused, also at the very end", async () => {
  await expect(rows("a\n", new Uint8Array([0xff, 0xfe]))).rejects.toThrow("not UTF-8");
  await expect(rows("a\n1", new Uint8Array([0xc3]))).rejects.toThrow("not UTF-8");
});
