/** Owns: pieces of files in memory. Not: pairs (memory.ts). */
import type { Key, PieceWrite } from "./storage.ts";

export class MemoryPieces {
  /** File → number → bytes. */
  readonly #files = new Map<Key, Map<number, Uint8Array>>();
  /** What undoes the writes since the last flush, the first one first. */
  readonly #undo: PieceWrite[] = [];

  get(file: Key, number: number): Uint8Array | undefined {
    return this.#files.get(file)?.get(number);
  }

  numbers(file: Key, limit: number): number[] {
    const numbers = [...(this.#files.get(file)?.keys() ?? [])];
    return numbers.sort((a, b) => a - b).slice(0, limit);
  }

  write(pieces: readonly PieceWrite[]): void {
    for (const piece of pieces) {
      const [file, number] = piece;
      this.#undo.push([file, number, this.get(file, number) ?? null]);
      this.#set(piece);
    }
  }

  flush(): void {
    this.#undo.length = 0;
  }

  discard(): void {
    for (let undo = this.#undo.pop(); undo !== undefined; undo = this.#undo.pop()) this.#set(undo);
  }

  /** As of the last flush. */
  flushed(): MemoryPieces {
    const copy = new MemoryPieces();
    for (const [file, pieces] of this.#files) copy.#files.set(file, new Map(pieces));
    copy.#undo.push(...this.#undo);
    copy.discard();
    return copy;
  }

  #set([file, number, bytes]: PieceWrite): void {
    const pieces = this.#files.get(file) ?? new Map<number, Uint8Array>();
    if (bytes === null) pieces.delete(number);
    else pieces.set(number, bytes.slice());
    if (pieces.size === 0) this.#files.delete(file);
    else this.#files.set(file, pieces);
  }
}
