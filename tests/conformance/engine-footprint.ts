/** Owns: what a call on the engine touched, compared by storage keys. Not: convex-test (recorder.ts). */
import type { Footprint as Touched } from "../../engine/application.ts";
import type { Footprint, Overlap } from "./runtime.ts";

/** The user table that a storage key belongs to; null for the engine's own keys. */
export type TableOfKey = (key: string) => string | null;

export class EngineFootprint implements Footprint {
  readonly #touched: Touched;
  readonly #tableOf: TableOfKey;

  constructor(touched: Touched, tableOf: TableOfKey) {
    this.#touched = touched;
    this.#tableOf = tableOf;
  }

  get documentsWritten(): number {
    return this.#touched.documentsWritten;
  }

  get ranges(): number {
    return this.#touched.databaseQueries;
  }

  overlap(other: Footprint): Overlap {
    if (!(other instanceof EngineFootprint)) {
      throw new Error("Footprints of two runtimes cannot be compared.");
    }
    const mine = this.#touched;
    const theirs = other.#touched;
    const conflicts = [
      ...mine.writtenKeys.filter((key) => theirs.readRanges.some((range) => holds(range, key))),
      ...theirs.writtenKeys.filter((key) => mine.readRanges.some((range) => holds(range, key))),
      ...mine.writtenKeys.filter((key) => theirs.writtenKeys.includes(key)),
    ];
    const sharedReads = mine.readRanges.filter(([lo, hi]) =>
      theirs.readRanges.some(([otherLo, otherHi]) => lo < otherHi && otherLo < hi),
    );
    return {
      conflicts: this.#names(conflicts),
      sharedReads: this.#names(sharedReads.map(([lo]) => lo)),
    };
  }

  #names(keys: readonly string[]): string[] {
    return [...new Set(keys.map((key) => this.#tableOf(key) ?? "the engine's own keys"))].sort();
  }
}

function holds([lo, hi]: readonly [string, string], key: string): boolean {
  return lo <= key && key < hi;
}
