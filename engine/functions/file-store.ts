/**
 * Owns: the rows of ctx.storage, within a transaction: adding, finding and removing a file, and its addresses.
 * Not: bytes that come or go as a stream (file-contents.ts).
 */
import { createHash } from "node:crypto";
import type { Catalog } from "../catalog/catalog.ts";
import type { Documents, RandomBytes } from "../catalog/documents.ts";
import { attachContent, contentOf, detachContent, idOfName } from "../catalog/stored-files.ts";
import type { FileContent } from "../catalog/stored-files.ts";
import type { Document, Table } from "../catalog/tables.ts";
import { FunctionError } from "../errors.ts";
import { FILE_PIECE_BYTES } from "../limits.ts";
import { FILE_TABLE } from "../system-tables.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { JSONObject } from "../values/kinds.ts";
import { UUID_BYTES, isUuid, uuidOf } from "../values/uuid.ts";
import { issueUploadToken } from "./upload-tokens.ts";

/** `sha256` is base64, as user code sees it. */
export type FileFacts = {
  readonly size: number;
  readonly sha256: string;
  readonly contentType: string | null;
};
export type FoundFile = {
  readonly table: Table;
  readonly id: string;
  readonly content: FileContent;
};

export class FileStore {
  readonly #catalog: Catalog;
  readonly #documents: Documents;
  readonly #random: RandomBytes;
  readonly #cloudUrl: () => string;

  /** `cloudUrl` is asked at each use: the ports may be opened after the application. */
  constructor(catalog: Catalog, documents: Documents, random: RandomBytes, cloudUrl: () => string) {
    this.#catalog = catalog;
    this.#documents = documents;
    this.#random = random;
    this.#cloudUrl = cloudUrl;
  }

  /** Names for a file that is about to be stored. */
  newContent(): FileContent {
    return {
      name: uuidOf(this.#random(UUID_BYTES)),
      file: Buffer.from(this.#random(UUID_BYTES)).toString("hex"),
      pieceBytes: FILE_PIECE_BYTES,
    };
  }

  /** Returns the id. The pieces are there, or come with the same transaction. */
  add(
    transaction: Transaction,
    componentPath: string,
    content: FileContent,
    facts: FileFacts,
  ): string {
    const table = this.#catalog.ensure(transaction, componentPath, FILE_TABLE);
    const id = this.#documents.insert(transaction, table, fieldsOf(facts));
    attachContent(transaction, table, id, content);
    return id;
  }

  /** A whole file within a mutation; it is held in memory until the commit. */
  store(
    transaction: Transaction,
    componentPath: string,
    bytes: Uint8Array,
    wanted: { readonly contentType: string | null; readonly sha256: string | null },
  ): string {
    const sha256 = createHash("sha256").update(bytes).digest("base64");
    assertDigest(sha256, wanted.sha256);
    const { contentType } = wanted;
    transaction.usage.add("filesWritten", 1);
    transaction.usage.add("fileWriteBytes", bytes.length);
    const content = this.newContent();
    const { file, pieceBytes } = content;
    const pieces = Math.max(1, Math.ceil(bytes.length / pieceBytes));
    for (let i = 0; i < pieces; i++)
      transaction.putPiece(file, i, bytes.slice(i * pieceBytes, (i + 1) * pieceBytes));
    return this.add(transaction, componentPath, content, {
      size: bytes.length,
      sha256,
      contentType,
    });
  }

  /** By its id, or by the name in its address, which older apps keep. Undefined when it is not there. */
  find(
    transaction: Transaction,
    componentPath: string,
    storageId: unknown,
    method: string,
  ): FoundFile | undefined {
    if (typeof storageId !== "string") throw noFileId(storageId, method);
    if (isUuid(storageId)) return this.findByName(transaction, componentPath, storageId);
    const table = this.#catalog.tableOfId(componentPath, storageId);
    if (table?.name !== FILE_TABLE) throw noFileId(storageId, method);
    return found(table, storageId, contentOf(transaction, table, storageId));
  }

  findByName(transaction: Transaction, componentPath: string, name: string): FoundFile | undefined {
    const table = this.#catalog.resolve(componentPath, FILE_TABLE);
    const id = idOfName(transaction, table, name);
    return id === undefined ? undefined : found(table, id, contentOf(transaction, table, id));
  }

  factsOf(transaction: Transaction, { table, id }: FoundFile): FileFacts {
    return factsIn(this.#row(transaction, table, id));
  }

  remove(transaction: Transaction, { table, id, content }: FoundFile): void {
    const row = this.#row(transaction, table, id);
    if (transaction.holdsFile(content.file)) {
      transaction.usage.add("filesWritten", -1);
      transaction.usage.add("fileWriteBytes", -factsIn(row).size);
    }
    this.#documents.remove(transaction, table, row);
    detachContent(transaction, table, id, content);
  }

  urlOf(componentPath: string, { name }: FileContent): string {
    const of = componentPath === "" ? "" : `?component=${encodeURIComponent(componentPath)}`;
    return `${this.#cloudUrl()}/api/storage/${name}${of}`;
  }

  uploadUrl(transaction: Transaction, componentPath: string): string {
    const token = issueUploadToken(transaction, componentPath, this.#random);
    return `${this.#cloudUrl()}/api/storage/upload?token=${token}`;
  }

  #row(transaction: Transaction, table: Table, id: string): Document {
    const row = this.#documents.peek(transaction, table, id);
    if (row === undefined) throw new Error(`The file ${id} has a content and no row.`);
    return row;
  }
}

function found(table: Table, id: string, content: FileContent | undefined): FoundFile | undefined {
  return content === undefined ? undefined : { table, id, content };
}

export function fieldsOf({ size, sha256, contentType }: FileFacts): JSONObject {
  return { ...(contentType === null ? {} : { contentType }), sha256, size };
}

export function factsIn(row: JSONObject): FileFacts {
  const { size, sha256, contentType } = row;
  return {
    size: Number(size),
    sha256: typeof sha256 === "string" ? sha256 : "",
    contentType: typeof contentType === "string" ? contentType : null,
  };
}

/** Both base64; null wants nothing. */
export function assertDigest(actual: string, wanted: string | null): void {
  if (wanted === null || wanted === actual) return;
  throw new FunctionError(`Sha256 mismatch. Expected: ${wanted} Actual: ${actual}`);
}

function noFileId(storageId: unknown, method: string): FunctionError {
  return new FunctionError(
    `Invalid argument \`storageId\` for \`storage.${method}\`: ${JSON.stringify(storageId)} is no id of a file.`,
  );
}
