/**
 * Owns: the files of a snapshot: what is said about each, and its bytes.
 * Not: tables (import-source.ts).
 *
 * As on Convex, a file that nothing is said about is taken all the same, and a line without a file is not.
 */
import type { ImportedFile } from "../application.ts";
import { FunctionError } from "../errors.ts";
import { FILE_TABLE } from "../system-tables.ts";
import { parseContentType } from "../values/content-type.ts";
import { tableNumberOfId } from "../values/ids.ts";
import type { JSONObject } from "../values/kinds.ts";
import { isUuid } from "../values/uuid.ts";
import { filePlaceOf, tablePlaceOf } from "./import-places.ts";
import { linesOf, parsed, toRow } from "./rows.ts";
import type { OpenZip, ZipEntry } from "./zip-file.ts";

export type SourceFiles = {
  readonly componentPath: string;
  /** What the ids of the files carry; null when there are none. */
  readonly number: number | null;
  readonly files: readonly ImportedFile[];
};

type Facts = Omit<ImportedFile, "bytes">;

/** One for each component that has a `_storage`, though it be empty. */
export async function filesOfZip(zip: OpenZip, base: string): Promise<SourceFiles[]> {
  const said = new Map<string, Map<string, Facts>>();
  const found = new Map<string, ImportedFile[]>();
  for (const entry of zip.entries) {
    const table = tablePlaceOf(entry.path, base);
    if (table?.name !== FILE_TABLE || table.file !== "documents") continue;
    said.set(table.componentPath, await factsIn(entry));
  }
  for (const entry of zip.entries) {
    const place = filePlaceOf(entry.path, base);
    if (place === null) continue;
    const facts = said.get(place.componentPath)?.get(place.id) ?? nothingKnownOf(place.id);
    const files = found.get(place.componentPath) ?? [];
    files.push({ ...facts, bytes: () => entry.open() });
    found.set(place.componentPath, files);
  }
  const components = new Set([...said.keys(), ...found.keys()]);
  return [...components].map((componentPath) => {
    const files = found.get(componentPath) ?? [];
    const [first] = files;
    return { componentPath, number: first ? tableNumberOfId(first.id) : null, files };
  });
}

async function factsIn(entry: ZipEntry): Promise<Map<string, Facts>> {
  const facts = new Map<string, Facts>();
  for await (const { number, text } of linesOf(await entry.open())) {
    const where = `${entry.path}: row ${number}`;
    const one = toFacts(toRow(parsed(text, where), where), where);
    facts.set(one.id, one);
  }
  return facts;
}

function toFacts(row: JSONObject, where: string): Facts {
  const { _id: id, _creationTime: creationTime = null, internalId = null } = row;
  const { sha256 = null, contentType } = row;
  if (typeof id !== "string") throw new FunctionError(`${where} needs an _id.`);
  if (creationTime !== null && typeof creationTime !== "number")
    throw new FunctionError(`${where}: _creationTime is no number.`);
  if (sha256 !== null && typeof sha256 !== "string")
    throw new FunctionError(`${where}: sha256 is no text.`);
  if (internalId !== null && !(typeof internalId === "string" && isUuid(internalId)))
    throw new FunctionError(`${where}: internalId is no UUID.`);
  return { id, creationTime, sha256, contentType: parseContentType(contentType), name: internalId };
}

function nothingKnownOf(id: string): Facts {
  return { id, creationTime: null, sha256: null, contentType: null, name: null };
}
