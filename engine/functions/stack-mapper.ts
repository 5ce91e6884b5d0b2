/**
 * Owns: turning positions in a compiled bundle into positions in the files that people wrote.
 * Not: the sentence above the stack (failures.ts).
 */
import { SourceMap } from "node:module";

const FRAME = /^\s+at (?:(.*?) \()?([^()]+?):(\d+):(\d+)\)?$/;

/** The wrappers around every handler: the same for every error, so they tell nothing. */
const CONVEX_ITSELF = /node_modules\/convex\//;

export class StackMapper {
  readonly filename: string;
  readonly #mapJson: string;
  #map: SourceMap | null = null;

  /** The map is only parsed when something fails. */
  constructor(filename: string, mapJson: string) {
    this.filename = filename;
    this.#mapJson = mapJson;
  }

  /** "handler (../convex/stats.ts:12:3)" for a frame of this bundle; null for any other line. */
  frame(line: string): string | null {
    const match = FRAME.exec(line);
    if (match === null || match[2] !== this.filename) return null;
    const place = this.#original(Number(match[3]), Number(match[4]));
    if (CONVEX_ITSELF.test(place)) return null;
    const name = match[1]?.replace(/^Object\./, "") ?? "<anonymous>";
    return `${name} (${place})`;
  }

  #original(line: number, column: number): string {
    this.#map ??= new SourceMap(
      JSON.parse(this.#mapJson) as ConstructorParameters<typeof SourceMap>[0],
    );
    const entry = this.#map.findEntry(line - 1, column - 1);
    if (!("originalSource" in entry)) return `${this.filename}:${line}:${column}`;
    const source = readableSource(entry.originalSource);
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  }
}

/** Maps name files relative to wherever the bundler stood; what people know is the path below the project. */
function readableSource(source: string): string {
  const path = source.replace(/^([a-z-]+:)+/, "").replace(/^(\.{0,2}\/)+/, "");
  return `../${path}`;
}
