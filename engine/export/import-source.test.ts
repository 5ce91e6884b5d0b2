import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { ZipFile } from "yazl";
import { temporaryFolder } from "../storage/folder.helpers.ts";
import { openSource } from "./import-source.ts";

/** File name in the ZIP → its text. */
async function snapshot(files: Readonly<Record<string, string>>): Promise<string> {
  const path = join(temporaryFolder(), "snapshot.zip");
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

const open = (path: string) =>
  openSource({ path, format: "zip", tableName: null, componentPath: "" });

test("a snapshot whose table of files is empty is taken, and that table is none of its tables", async () => {
  const path = await snapshot({
    "_tables/documents.jsonl": '{"name":"notes","id":10001}\n',
    "notes/documents.jsonl": '{"text":"x"}\n',
    "_storage/documents.jsonl": "",
  });
  const source = await open(path);
  expect(source.tables.map(({ name, number }) => [name, number])).toEqual([["notes", 10001]]);
  source.close();
});

test("a snapshot that holds files is refused with the way out", async () => {
  const path = await snapshot({ "_storage/documents.jsonl": '{"_id":"x"}\n' });
  await expect(open(path)).rejects.toThrow(
    /^The snapshot holds files, and file storage is not supported by the embedded engine\. Export without --include-file-storage\.$/,
  );
});
