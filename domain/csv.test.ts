import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvText } from "./csv.ts";
import type { CsvCell } from "./csv.ts";

const one = (value: CsvCell) => csvText({ header: ["x"], rows: [[value]] }).split("\r\n")[1];

describe("a table as text", () => {
  test("has its header, a line each, numbers as they are and nothing where nothing is known", () => {
    const table = {
      header: ["path", "views", "visits"],
      rows: [
        ["/", 12, null],
        ["/über", 0.5, true],
      ],
    };
    expect(csvText(table)).toBe("\uFEFFpath,views,visits\r\n/,12,\r\n/über,0.5,true\r\n");
  });

  test.each([
    ['say "hi", now', '"say ""hi"", now"'],
    ["two\nlines", '"two\nlines"'],
    [" padded", '" padded"'],
  ])("C39: %j is quoted", (value, expected) => {
    expect(one(value)).toBe(expected);
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "|cmd", "%0A"])(
    "C39: %j is no formula",
    (value) => {
      expect(one(value)?.replace(/^"/, "")).toMatch(/^'/);
    },
  );

  test("a negative number is a number", () => {
    expect(one(-3)).toBe("-3");
  });

  test("whatever stands in the cells is read back as it was, but for the apostrophe", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ unit: "binary" }), { minLength: 2, maxLength: 2 })),
        (rows) => {
          const text = csvText({ header: ["a", "b"], rows });
          const back = parse(text.slice(1)).slice(1);
          expect(back.map((row) => row.map((cell) => cell.replace(/^'/, "")))).toEqual(
            rows.map((row) => row.map((cell) => cell.replace(/^'/, ""))),
          );
          for (const cell of back.flat()) expect(cell).not.toMatch(/^\s*[=+\-@|%]/);
        },
      ),
    );
  });
});

/** A reader of RFC 4180, the slow and obvious way. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (at += 1; ; at += 1) {
        if (text[at] !== '"') cell += text[at] ?? "";
        else if (text[at + 1] === '"') {
          cell += '"';
          at += 1;
        } else break;
      }
      at += 1;
    } else
      while (at < text.length && text[at] !== "," && text[at] !== "\r") cell += text[at++] ?? "";
    row.push(cell);
    if (text[at] === ",") at += 1;
    else {
      at += 2;
      rows.push(row);
      row = [];
    }
  }
  return rows;
}
