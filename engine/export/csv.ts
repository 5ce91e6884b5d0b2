/**
 * Owns: the rows of a CSV file: a header that names the fields, then a document a record.
 * Not: which file (import-source.ts).
 *
 * As on Convex a cell is a float64 when all of it is a number, and a string otherwise; an empty one is the empty string.
 * Quotes are those of RFC 4180: a quoted cell may hold commas, line breaks, and quotes that are doubled; `"12"` is a
 * number, too, because spreadsheets quote whatever they like.
 */
import { FunctionError } from "../errors.ts";
import type { JSONObject } from "../values/kinds.ts";
import { assertRowLength, textsOf } from "./rows.ts";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const BYTE_ORDER_MARK = "\uFEFF";

export async function* rowsOfCsv(chunks: AsyncIterable<unknown>): AsyncGenerator<JSONObject> {
  let header: readonly string[] | null = null;
  for await (const { number, cells } of recordsOf(chunks)) {
    if (header === null) header = checkedHeader(cells);
    else yield toDocument(header, cells, number);
  }
  if (header === null) throw new FunctionError("The file has no header: it is empty.");
}

function checkedHeader(names: readonly string[]): readonly string[] {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new FunctionError(`The header has the field "${twice}" twice. Rename one of them.`);
  const empty = names.indexOf("");
  if (empty >= 0) throw new FunctionError(`The header has no name for column ${empty + 1}.`);
  return names;
}

function toDocument(
  header: readonly string[],
  cells: readonly string[],
  number: number,
): JSONObject {
  if (cells.length !== header.length) {
    throw new FunctionError(
      `Row ${number} has ${cells.length} cells, and the header has ${header.length} names.`,
    );
  }
  return Object.fromEntries(header.map((name, i) => [name, valueOf(cells[i] ?? "")]));
}

/** Minus zero would be another value on the wire, and infinity is no number that JSON has. */
function valueOf(cell: string): string | number {
  const value = NUMBER.test(cell) ? Number(cell) : NaN;
  return Number.isFinite(value) && !Object.is(value, -0) ? value : cell;
}

type CsvRecord = { readonly number: number; readonly cells: readonly string[] };

/** Numbered from 1, the header included; empty lines are left out. */
async function* recordsOf(chunks: AsyncIterable<unknown>): AsyncGenerator<CsvRecord> {
  const reader = new RecordReader();
  for await (const text of textsOf(chunks, () => `row ${reader.number}`)) yield* reader.read(text);
  yield* reader.end();
}

/** `"start"`: of a cell. `"quote"`: a quote in a quoted cell, which ends it or is the first of two. */
type Place = "start" | "plain" | "quoted" | "quote";

class RecordReader {
  number = 1;
  #place: Place = "start";
  #cells: string[] = [];
  #cell = "";
  #isFirst = true;

  *read(text: string): Generator<CsvRecord> {
    const from = this.#isFirst && text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    if (text !== "") this.#isFirst = false;
    for (let at = from; at < text.length; at++) {
      const character = text.charAt(at);
      if (character === "\n" && this.#place !== "quoted") yield* this.#endRecord();
      else this.#take(character);
    }
    assertRowLength(this.#cell.length, this.number);
  }

  *end(): Generator<CsvRecord> {
    if (this.#place === "quoted")
      throw new FunctionError(`Row ${this.number} ends inside of a quoted cell.`);
    yield* this.#endRecord();
  }

  #take(character: string): void {
    if (this.#place === "quoted") {
      if (character === '"') this.#place = "quote";
      else this.#cell += character;
    } else if (character === ",") this.#endCell();
    else if (character === '"' && this.#place === "start") this.#place = "quoted";
    else if (character === '"' && this.#place === "quote") {
      this.#cell += character;
      this.#place = "quoted";
    } else {
      this.#cell += character;
      if (this.#place === "start") this.#place = "plain";
    }
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = "";
    this.#place = "start";
  }

  *#endRecord(): Generator<CsvRecord> {
    if (this.#cell.endsWith("\r")) this.#cell = this.#cell.slice(0, -1);
    const isEmpty = this.#cells.length === 0 && this.#cell === "" && this.#place !== "quote";
    this.#endCell();
    const cells = this.#cells;
    this.#cells = [];
    if (!isEmpty) yield { number: this.number, cells };
    this.number++;
  }
}
