/**
 * Owns: what an uploaded file holds, whatever its format: which tables, with which numbers, and the rows of each.
 * Not: the stored files in it (import-files.ts), uploading (uploads.ts), writing rows (the application's DataImport).
 */
import { createReadStream, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { TableAddress } from "../application.ts";
import { FunctionError } from "../errors.ts";
import { MAX_WRITE_BYTES } from "../limits.ts";
import { tableNumberOfId } from "../values/ids.ts";
import type { JSONObject } from "../values/kinds.ts";
import { rowsOfCsv } from "./csv.ts";
import { filesOfZip, type SourceFiles } from "./import-files.ts";
import { tablePlaceOf, type TablePlace } from "./import-places.ts";
import { linesOf, parsed, rowsOf, toRow } from "./rows.ts";
import { openZip, type OpenZip, type ZipEntry } from "./zip-file.ts";

export type SourceTable = TableAddress & {
  /** What the ids of its rows carry; null when they have none. */
  readonly number: number | null;
  /** May be called more than once. */
  rows(): AsyncIterable<JSONObject>;
};
export type ImportSource = {
  readonly tables: readonly SourceTable[];
  readonly files: readonly SourceFiles[];
  close(): void;
};

export type ImportFormat = "zip" | "csv" | "jsonLines" | "jsonArray";
export type UploadedFile = {
  readonly path: string;
  readonly format: ImportFormat;
  /** For every format but "zip". */
  readonly tableName: string | null;
  readonly componentPath: string;
};

export async function openSource(file: UploadedFile): Promise<ImportSource> {
  if (file.format === "zip") {
    const zip = await openZip(file.path);
    const tables = await tablesOfZip(zip, file.componentPath);
    const files = await filesOfZip(zip, file.componentPath);
    if (tables.length === 0 && files.length === 0) {
      throw new FunctionError(
        "The ZIP holds no <table>/documents.jsonl: it is no Convex snapshot.",
      );
    }
    return { tables, files, close: () => zip.close() };
  }
  if (file.tableName === null)
    throw new FunctionError(`--table is needed for the format ${file.format}.`);
  const rows = rowsOfFile(file.path, file.format);
  const address = { componentPath: file.componentPath, name: file.tableName };
  const table = { ...address, number: await numberOf(rows()), rows };
  return { tables: [table], files: [], close: () => undefined };
}

function rowsOfFile(
  path: string,
  format: Exclude<ImportFormat, "zip">,
): () => AsyncIterable<JSONObject> {
  switch (format) {
    case "csv":
      return () => rowsOfCsv(createReadStream(path));
    case "jsonLines":
      return () => rowsOf(createReadStream(path), "wire");
    case "jsonArray":
      return arrayOfFile(path);
    default:
      return format satisfies never;
  }
}

function arrayOfFile(path: string): () => AsyncIterable<JSONObject> {
  return async function* rows() {
    const { size } = statSync(path);
    if (size > MAX_WRITE_BYTES) {
      throw new FunctionError(
        `Import is too large for JSON (${size} bytes > maximum ${MAX_WRITE_BYTES}). Consider converting data to JSONLines`,
      );
    }
    const values = parsed(await readFile(path, "utf8"), "The file");
    if (!Array.isArray(values)) throw new FunctionError("Not a JSON array");
    for (const [i, value] of values.entries()) yield toRow(value, `Row ${i + 1}`);
  };
}

/** That of the first row which has an id. */
async function numberOf(rows: AsyncIterable<JSONObject>): Promise<number | null> {
  for await (const { _id: id } of rows) return typeof id === "string" ? tableNumberOfId(id) : null;
  return null;
}

async function tablesOfZip(zip: OpenZip, base: string): Promise<SourceTable[]> {
  const places = zip.entries.map((entry) => ({ entry, place: tablePlaceOf(entry.path, base) }));
  const numbers = new Map<string, TableAddress & { readonly number: number }>();
  const uniform = new Set<string>();
  const documents = new Map<string, { readonly entry: ZipEntry; readonly place: TablePlace }>();
  for (const { entry, place } of places) {
    if (place === null) continue;
    const key = keyOf(place);
    if (place.file === "generated_schema") {
      if (await isUniform(entry)) uniform.add(key);
    } else if (place.name === "_tables") {
      for (const table of await numbersIn(entry, place.componentPath))
        numbers.set(keyOf(table), table);
    } else if (!place.name.startsWith("_")) documents.set(key, { entry, place });
  }
  const tables: SourceTable[] = [];
  for (const [key, { entry, place }] of documents) {
    const rows = rowsOfEntry(entry, uniform.has(key) ? "uniform" : "wire");
    const { componentPath, name } = place;
    const number = numbers.get(key)?.number ?? (await numberOf(rows()));
    tables.push({ componentPath, name, number, rows });
  }
  for (const [key, table] of numbers) {
    if (!documents.has(key)) tables.push({ ...table, rows: noRows });
  }
  return tables;
}

async function* noRows(): AsyncGenerator<JSONObject> {}

function rowsOfEntry(entry: ZipEntry, form: "uniform" | "wire"): () => AsyncIterable<JSONObject> {
  return async function* rows() {
    yield* rowsOf(await entry.open(), form);
  };
}

function keyOf({ componentPath, name }: TableAddress): string {
  return JSON.stringify([componentPath, name]);
}

async function numbersIn(
  entry: ZipEntry,
  componentPath: string,
): Promise<(TableAddress & { readonly number: number })[]> {
  const tables: (TableAddress & { readonly number: number })[] = [];
  for await (const line of linesOf(await entry.open())) {
    const { name, id } = toRow(parsed(line.text, entry.path), entry.path);
    if (typeof name !== "string" || typeof id !== "number")
      throw new FunctionError(`${entry.path}: row ${line.number} needs a name and a number as id.`);
    if (!name.startsWith("_")) tables.push({ componentPath, name, number: id });
  }
  return tables;
}

/** Older exports told the types of ambiguous values by an inferred shape; where nothing is ambiguous it can be left out. */
async function isUniform(entry: ZipEntry): Promise<boolean> {
  let first: string | null = null;
  for await (const { number, text } of linesOf(await entry.open())) {
    if (number === 1 && text.trim() === '"uniform"') return true;
    first ??= text;
    if (/int64|bytes|float64(inf|nan)/i.test(text)) {
      throw new FunctionError(
        `${entry.path} is of an older Convex, whose int64s and bytes can only be told by it. ` +
          "Export again with a current version.",
      );
    }
  }
  return false;
}
