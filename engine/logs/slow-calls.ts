/**
 * Owns: which calls were so slow that the operator should know, and the line that says so: not more than one a minute
 * about the same function.
 * Not: calls of actions, which wait for others' servers and hold up nobody.
 */
import type { FunctionLog } from "../application.ts";
import { readablePath } from "../function-path.ts";

/** Long enough to find a function in the log, short enough to see that it goes on. */
const QUIET_MS = 60_000;

type Told = { at: number; sinceThen: number };

export class SlowCalls {
  readonly #slowMs: number;
  readonly #told = new Map<string, Told>();

  /** `slowMs`: what is slow; 0 warns of nothing. */
  constructor(slowMs: number) {
    this.#slowMs = slowMs;
  }

  /** The line to print, or null when there is nothing to say. */
  warningOf(call: FunctionLog): string | null {
    const isTransaction = call.kind === "query" || call.kind === "mutation";
    if (!isTransaction || this.#slowMs === 0 || call.durationMs < this.#slowMs) return null;
    const name = nameOf(call);
    const told = this.#told.get(name);
    if (told !== undefined && call.at - told.at < QUIET_MS) {
      told.sinceThen += 1;
      return null;
    }
    this.#told.set(name, { at: call.at, sinceThen: 0 });
    return this.#line(call, name, told?.sinceThen ?? 0);
  }

  #line({ kind, durationMs, footprint }: FunctionLog, name: string, untold: number): string {
    const { documentsRead, databaseQueries, documentsWritten } = footprint;
    const again =
      untold === 0 ? "" : `, and was slow ${count(untold, "more time")} since the last warning`;
    return (
      `Slow: the ${kind} ${name} took ${Math.round(durationMs)} ms${again}; ` +
      `it read ${count(documentsRead, "document")} in ${count(databaseQueries, "range")} and wrote ${documentsWritten}. ` +
      "Every other call waited: read fewer rows, or split it into smaller calls. " +
      `(--slow-ms sets what is slow, now ${this.#slowMs}.)`
    );
  }
}

function nameOf({ target }: FunctionLog): string {
  const component = target.componentPath === "" ? "" : `${target.componentPath}/`;
  return component + readablePath(target.path);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
