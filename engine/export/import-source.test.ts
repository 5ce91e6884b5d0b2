import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { ZipFile } from "yazl";
import { temporaryFolder } from "../storage/folder.helpers.ts";
import { createId } from "../values/ids.ts";
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

test("a snapshot whose table of files is empty says so, and that table is none of its others", async () => {
  const path = await snapshot({
    "_tables/documents.jsonl": '{"name":"notes","id":10001}\n',
    "notes/documents.jsonl": '{"text":"x"}\n',
    "_storage/documents.jsonl": "",
  });
  const source = await open(path);
  expect(source.tables.map(({ name, number }) => [name, number])).toEqual([["notes", 10001]]);
  expect(source.files).toEqual([{ componentPath: "", number: null, files: [] }]);
  source.close();
});

const ID = createId(540, new Uint8Array(16).fill(1));
const OTHER_ID = createId(540, new Uint8Array(16).fill(2));
const NAME = "11111111-2222-4333-8444-555555555555";

test("files are told with what is said of them, also those of components, in a folder around everything", async () => {
  const said = {
    _id: ID,
    _creationTime: 5.5,
    sha256: "c2hh",
    size: 3,
    contentType: "image/png",
    internalId: NAME,
  };
  const path = await snapshot({
    "all/_storage/documents.jsonl": `${JSON.stringify(said)}\n{"_id":"line without a file"}\n`,
    [`all/_storage/${ID}.png`]: "one",
    [`all/_components/shelf/_storage/${OTHER_ID}`]: "two",
  });
  const source = await open(path);
  expect(source.files).toMatchObject([
    {
      componentPath: "",
      number: 540,
      files: [{ id: ID, creationTime: 5.5, sha256: "c2hh", contentType: "image/png", name: NAME }],
    },
    {
      componentPath: "shelf",
      files: [{ id: OTHER_ID, creationTime: null, sha256: null, contentType: null, name: null }],
    },
  ]);
  const texts: string[] = [];
  for (const { files } of source.files)
    for (const { bytes } of files)
      for await (const chunk of await bytes()) texts.push(Buffer.from(chunk).toString());
  expect(texts).toEqual(["one", "two"]);
  source.close();
});

test.each([
  ['{"contentType":"image/png"}', "needs an _id"],
  ['{"_id":"x","internalId":"../../x"}', "internalId is no UUID"],
  ['{"_id":"x","contentType":"no type"}', "content type is a text like"],
])("a line about a file that makes no sense is refused: %s", async (line, reason) => {
  const path = await snapshot({ "_storage/documents.jsonl": `${line}\n` });
  await expect(open(path)).rejects.toThrow(reason);
});
