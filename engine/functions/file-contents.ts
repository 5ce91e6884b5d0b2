/**
 * Owns: the bytes of files that come and go as streams, of which a piece is held at a time.
 * Not: the rows (file-store.ts), HTTP (server/file-routes.ts).
 *
 * Each piece of an upload is a commit of its own, in between other transactions; a record says that no row stands for
 * them yet. The last piece and the row come in one commit, which takes that record away. So whatever dies in the
 * middle leaves pieces that are removed at the next start, and a small file costs one commit.
 */
import { createHash } from "node:crypto";
import type { DiscardedFiles } from "../catalog/discarded-files.ts";
import { discardFile } from "../catalog/stored-files.ts";
import type { FileContent } from "../catalog/stored-files.ts";
import { FunctionError } from "../errors.ts";
import { MAX_FILE_BYTES } from "../limits.ts";
import type { Commits } from "../transactions/commits.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { assertDigest } from "./file-store.ts";

/** Both base64. */
export type Written = { readonly size: number; readonly sha256: string };
export type FileBytes = AsyncIterable<Uint8Array>;
/** Of the piece with that number; undefined when the file is gone. */
export type PieceSource = (number: number) => Uint8Array | undefined;

export class FileContents {
  readonly #commits: Commits;
  readonly #discarded: DiscardedFiles;

  constructor(commits: Commits, discarded: DiscardedFiles) {
    this.#commits = commits;
    this.#discarded = discarded;
  }

  /** `finish` gives it its row, in the last commit; what it throws undoes everything. Resolves when that is durable. */
  async write<T>(
    content: FileContent,
    bytes: FileBytes,
    wantedSha256: string | null,
    finish: (transaction: Transaction, written: Written) => T,
  ): Promise<T> {
    const { file, pieceBytes } = content;
    const release = this.#discarded.hold(file);
    try {
      const hash = createHash("sha256");
      let size = 0;
      let count = 0;
      let last: Uint8Array | null = null;
      for await (const piece of piecesOf(bytes, pieceBytes)) {
        if (last !== null) await this.#writePiece(file, count++, last);
        hash.update(piece);
        size += piece.length;
        if (size > MAX_FILE_BYTES) throw tooLarge();
        last = piece;
      }
      const sha256 = hash.digest("base64");
      assertDigest(sha256, wantedSha256);
      return await this.#commits.transact((transaction) => {
        transaction.putPiece(file, count, last);
        return finish(transaction, { size, sha256 });
      });
    } finally {
      release();
    }
  }

  #writePiece(file: string, number: number, piece: Uint8Array): Promise<void> {
    return this.#commits.transact((transaction) => {
      discardFile(transaction, file);
      transaction.putPiece(file, number, piece);
    });
  }
}

/** The bytes of [start, end), a piece at a time. */
export function* readFile(
  piece: PieceSource,
  { pieceBytes }: FileContent,
  start: number,
  end: number,
): Generator<Uint8Array> {
  for (let at = start; at < end;) {
    const number = Math.floor(at / pieceBytes);
    const bytes = piece(number)?.subarray(at - number * pieceBytes, end - number * pieceBytes);
    if (bytes === undefined || bytes.length === 0)
      throw new FunctionError("The file was deleted while it was being read.");
    yield bytes;
    at += bytes.length;
  }
}

/** All of the size but the last one, which may be empty when it is the only one. */
async function* piecesOf(bytes: FileBytes, pieceBytes: number): AsyncGenerator<Uint8Array> {
  let piece = Buffer.allocUnsafe(pieceBytes);
  let filled = 0;
  for await (const chunk of bytes) {
    for (let taken = 0; taken < chunk.length;) {
      if (filled === pieceBytes) {
        yield piece;
        piece = Buffer.allocUnsafe(pieceBytes);
        filled = 0;
      }
      const part = chunk.subarray(taken, taken + pieceBytes - filled);
      piece.set(part, filled);
      filled += part.length;
      taken += part.length;
    }
  }
  yield piece.subarray(0, filled);
}

export function tooLarge(): FunctionError {
  return new FunctionError(`A file may have ${MAX_FILE_BYTES} bytes, and this one has more.`);
}
