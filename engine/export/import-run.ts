/**
 * Owns: one pass over an uploaded file: counting what it would change, or changing it.
 * Not: what the CLI is told meanwhile (imports.ts).
 */
import type { Application, DataSnapshot, ImportMode, TableAddress } from "../application.ts";
import { FunctionError } from "../errors.ts";
import { FILE_TABLE } from "../system-tables.ts";
import type { JSONObject } from "../values/kinds.ts";
import type { SourceFiles } from "./import-files.ts";
import { openSource, type SourceTable, type UploadedFile } from "./import-source.ts";

/** Of one transaction: some milliseconds of work, so that others hardly wait. */
const IMPORTED_ROWS_PER_BATCH = 200;
const IMPORTED_JSON_LENGTH_PER_BATCH = 1024 * 1024;
/** So that who waits sees it move. */
const ROWS_PER_REPORT = 10_000;

export type Change = TableAddress & { readonly created: number; deleted: number; existing: number };

/** Reads the whole file, so that what is wrong with it shows before anything is changed. */
export async function planImport(
  application: Application,
  file: UploadedFile,
  mode: ImportMode,
): Promise<Change[]> {
  const source = await openSource(file);
  const snapshot = await application.moves.snapshot();
  try {
    const changes: Change[] = [];
    for (const table of source.tables) {
      changes.push(changeOf(table, await countOf(table), snapshot, mode));
    }
    for (const group of source.files) {
      changes.push(changeOf(fileTableOf(group), group.files.length, snapshot, mode));
    }
    if (mode === "replaceAll") changes.push(...emptied(snapshot, changes));
    return changes;
  } finally {
    source.close();
    snapshot.close();
  }
}

async function countOf(table: SourceTable): Promise<number> {
  let rows = 0;
  for await (const _ of table.rows()) rows++;
  return rows;
}

function fileTableOf({ componentPath }: SourceFiles): TableAddress {
  return { componentPath, name: FILE_TABLE };
}

function changeOf(
  table: TableAddress,
  created: number,
  snapshot: DataSnapshot,
  mode: ImportMode,
): Change {
  const existing = snapshot.count(table);
  if (mode === "requireEmpty" && existing > 0) {
    throw new FunctionError(
      `Table ${table.name} already exists. Please choose a new table name or use replace/append modes.`,
    );
  }
  const deleted = mode === "append" ? 0 : existing;
  const { componentPath, name } = table;
  return { componentPath, name, created, deleted, existing };
}

function emptied(snapshot: DataSnapshot, changes: readonly Change[]): Change[] {
  const isNamed = ({ componentPath, name }: TableAddress) =>
    changes.some((change) => change.componentPath === componentPath && change.name === name);
  return snapshot.tables
    .filter((table) => !isNamed(table))
    .map(({ componentPath, name }) => {
      const existing = snapshot.count({ componentPath, name });
      return { componentPath, name, created: 0, deleted: existing, existing };
    });
}

export type Progress = {
  readonly onRows: (table: TableAddress, rows: number) => Promise<void>;
  readonly onTable: (table: TableAddress, rows: number) => Promise<void>;
  readonly onFiles: (componentPath: string, files: number) => Promise<void>;
};

/** Returns how many documents were written; as on Convex, files are none. All or nothing, but for "append". */
export async function runImport(
  application: Application,
  file: UploadedFile,
  mode: ImportMode,
  progress: Progress,
): Promise<number> {
  const source = await openSource(file);
  const target = application.moves.beginImport(mode);
  try {
    let total = 0;
    for (const table of source.tables) await target.addTable(table, table.number);
    for (const group of source.files) await target.addTable(fileTableOf(group), group.number);
    for (const table of source.tables) {
      let rows = 0;
      for await (const batch of batchesOf(table.rows())) {
        await target.insert(table, batch);
        const reports = Math.floor(rows / ROWS_PER_REPORT);
        rows += batch.length;
        if (Math.floor(rows / ROWS_PER_REPORT) > reports) await progress.onRows(table, rows);
      }
      total += rows;
      await progress.onTable(table, rows);
    }
    for (const { componentPath, files } of source.files) {
      for (const file of files) await target.insertFile(componentPath, file);
      await progress.onFiles(componentPath, files.length);
    }
    await target.finish();
    return total;
  } catch (error) {
    await target.abandon();
    throw error;
  } finally {
    source.close();
  }
}

async function* batchesOf(rows: AsyncIterable<JSONObject>): AsyncGenerator<JSONObject[]> {
  let batch: JSONObject[] = [];
  let length = 0;
  for await (const row of rows) {
    batch.push(row);
    length += JSON.stringify(row).length;
    if (batch.length < IMPORTED_ROWS_PER_BATCH && length < IMPORTED_JSON_LENGTH_PER_BATCH) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}
