/**
 * Owns: writing a snapshot as the ZIP that `npx convex import` takes: what lies where in it.
 * Not: how a value is written (value-text.ts), who asked (exports.ts).
 *
 * The layout is that of convex-backend: README.md, and per component (its path as `_components/<name>/…`) `_tables`
 * with the number of each table, then each table's documents and the mark that says how they are written, then, where
 * they are wanted, `_storage` with a line for each file, and the files by their ids.
 */
import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { DataSnapshot, SnapshotFile, TableAddress } from "../application.ts";
import { FILE_TABLE } from "../system-tables.ts";
import { endingOf } from "./file-endings.ts";
import { toUniform } from "./value-text.ts";

const README = `# A snapshot of a Convex deployment

The documents of each table are lines of JSON in <table>/documents.jsonl; those of a component lie below
_components/<name>/. \`npx convex import <this file>\` puts them into another deployment, with the ids they have.
`;

/** The tables are read while the stream is; close the snapshot when the stream has closed. */
export function snapshotZip(
  snapshot: DataSnapshot,
  components: readonly string[],
  options: { readonly withFiles: boolean },
): Readable {
  const zip = new ZipFile();
  const output = Readable.from(zip.outputStream, { objectMode: false });
  zip.on("error", (error: Error) => output.destroy(error));
  zip.addBuffer(Buffer.from(README), "README.md");
  const paths = new Set([...components, ...snapshot.tables.map((table) => table.componentPath)]);
  for (const path of [...paths].sort()) {
    zip.addBuffer(tablesOf(snapshot, path), `${folderOf(path)}_tables/documents.jsonl`);
  }
  for (const table of snapshot.tables) addTable(zip, snapshot, table);
  if (options.withFiles) {
    for (const path of [...paths].sort()) addFiles(zip, snapshot, path);
  }
  zip.end();
  return output;
}

function addTable(zip: ZipFile, snapshot: DataSnapshot, table: TableAddress): void {
  const folder = `${folderOf(table.componentPath)}${table.name}`;
  zip.addReadStreamLazy(`${folder}/documents.jsonl`, (begin) =>
    begin(null, Readable.from(linesOf(snapshot, table), { objectMode: false })),
  );
  zip.addBuffer(Buffer.from('"uniform"\n'), `${folder}/generated_schema.jsonl`);
}

function addFiles(zip: ZipFile, snapshot: DataSnapshot, componentPath: string): void {
  const folder = `${folderOf(componentPath)}${FILE_TABLE}`;
  zip.addReadStreamLazy(`${folder}/documents.jsonl`, (begin) =>
    begin(null, Readable.from(lines(snapshot.files(componentPath)), { objectMode: false })),
  );
  for (const { id, contentType, bytes } of snapshot.files(componentPath)) {
    zip.addReadStreamLazy(`${folder}/${id}${endingOf(contentType)}`, (begin) =>
      begin(null, Readable.from(bytes(), { objectMode: false })),
    );
  }
}

/** Unlike documents, these are plain JSON: the size is an integer without a mark. */
function* lines(files: Iterable<SnapshotFile>): Iterable<Buffer> {
  for (const { id, creationTime, sha256, size, contentType, name } of files) {
    const line = {
      _id: id,
      _creationTime: creationTime,
      sha256,
      size,
      contentType,
      internalId: name,
    };
    yield Buffer.from(`${JSON.stringify(line)}\n`);
  }
}

function* linesOf(snapshot: DataSnapshot, table: TableAddress): Iterable<Buffer> {
  for (const page of snapshot.pages(table)) {
    yield Buffer.from(page.map((json) => `${toUniform(json)}\n`).join(""));
  }
}

function tablesOf({ tables }: DataSnapshot, componentPath: string): Buffer {
  const lines = tables
    .filter((table) => table.componentPath === componentPath)
    .sort((a, b) => a.number - b.number)
    .map(({ name, number }) => `${JSON.stringify({ name, id: number })}\n`);
  return Buffer.from(lines.join(""));
}

/** "" for the app, "_components/a/_components/b/" for "a/b". */
function folderOf(componentPath: string): string {
  if (componentPath === "") return "";
  return `${componentPath
    .split("/")
    .map((name) => `_components/${name}/`)
    .join("")}`;
}
