/**
 * Owns: walking a range as the transaction sees it: the store below, its own writes above.
 * Not: recording what was read (read-set.ts).
 *
 * A cursor that is already open sees writes that the transaction makes ahead of it. On Convex the rows of a page that
 * was fetched already (up to 100) stay as they were and later rows see the writes; here every row is fetched late.
 */
import type { Cursor, Key, Storage } from "../storage/storage.ts";
import type { Overlay } from "./overlay.ts";

export type Order = "asc" | "desc";

export class MergedCursor implements Cursor {
  readonly #base: Cursor;
  readonly #overlay: Overlay;
  readonly #order: Order;
  /** What of the range is still ahead, as far as the overlay is concerned. */
  #lo: Key;
  #hi: Key;
  #baseState: "unread" | "ready" | "ended" = "unread";
  key: Key = "";
  value = "";

  constructor(storage: Storage, overlay: Overlay, lo: Key, hi: Key, order: Order) {
    this.#base = storage.range(lo, hi, order);
    this.#overlay = overlay;
    this.#order = order;
    this.#lo = lo;
    this.#hi = hi;
  }

  next(): boolean {
    for (;;) {
      if (this.#baseState === "unread") this.#baseState = this.#base.next() ? "ready" : "ended";
      const below = this.#baseState === "ready" ? this.#base.key : undefined;
      const above = this.#nextWritten();
      if (above === undefined && below === undefined) return false;
      if (above === undefined || (below !== undefined && this.#comesFirst(below, above))) {
        this.#advance(this.#base.key, this.#base.value);
        this.#baseState = "unread";
        return true;
      }
      if (above === below) this.#baseState = "unread";
      const value = this.#overlay.get(above);
      this.#advance(above, value ?? "");
      if (value !== null) return true;
    }
  }

  #nextWritten(): Key | undefined {
    if (this.#overlay.isEmpty) return undefined;
    return this.#order === "asc"
      ? this.#overlay.firstIn(this.#lo, this.#hi)
      : this.#overlay.lastIn(this.#lo, this.#hi);
  }

  #comesFirst(below: Key, above: Key): boolean {
    return this.#order === "asc" ? below < above : below > above;
  }

  #advance(key: Key, value: string): void {
    this.key = key;
    this.value = value;
    if (this.#order === "asc") this.#lo = key + "\x00";
    else this.#hi = key;
  }
}
