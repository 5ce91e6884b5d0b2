/**
 * Owns: tables as text that every spreadsheet reads: RFC 4180, in UTF-8 with its mark, because some programs take a
 * file without it for something else.
 * Not: which tables (src/stats/exports/).
 *
 * What visitors send must never be run: a spreadsheet takes a text that begins like a formula for one. Such a text gets
 * an apostrophe in front, which spreadsheets know as "this is text" (OWASP, CSV injection). Numbers stay numbers.
 */
export type CsvCell = string | number | boolean | null;

export type CsvTable = {
  readonly header: readonly string[];
  readonly rows: readonly (readonly CsvCell[])[];
};

const UTF8_MARK = "\uFEFF";
const LINE_END = "\r\n";
/** Blanks in front do not hide it from every spreadsheet. */
const LIKE_A_FORMULA = /^\s*[=+\-@\t\r\n|%]/;
const MUST_BE_QUOTED = /[",\r\n]|^\s|\s$/;

export function csvText({ header, rows }: CsvTable): string {
  return UTF8_MARK + [header, ...rows].map((row) => row.map(cell).join(",") + LINE_END).join("");
}

function cell(value: CsvCell): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const harmless = LIKE_A_FORMULA.test(value) ? `'${value}` : value;
  return MUST_BE_QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
