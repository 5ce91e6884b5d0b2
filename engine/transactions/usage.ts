/**
 * Owns: what a transaction has used of Convex's limits, and refusing what goes beyond them.
 * Not: the numbers (limits.ts).
 *
 * A nested call continues its parent's count, may have tighter limits, and when it is rolled back gives back what it
 * wrote but not what it read.
 */
import { FunctionError } from "../errors.ts";
import * as limits from "../limits.ts";

const TRANSACTION_LIMITS = {
  bytesRead: limits.MAX_READ_BYTES,
  bytesWritten: limits.MAX_WRITE_BYTES,
  databaseQueries: limits.MAX_DATABASE_QUERIES,
  documentsRead: limits.MAX_DOCUMENTS_READ,
  documentsWritten: limits.MAX_DOCUMENTS_WRITTEN,
  functionsScheduled: limits.MAX_FUNCTIONS_SCHEDULED,
  scheduledFunctionArgsBytes: limits.MAX_SCHEDULED_ARGS_BYTES,
  filesWritten: limits.MAX_FILES_WRITTEN,
  fileWriteBytes: limits.MAX_FILE_WRITE_BYTES,
  filesRead: limits.MAX_FILES_READ,
  fileReadBytes: limits.MAX_FILE_READ_BYTES,
} as const;

export type Metric = keyof typeof TRANSACTION_LIMITS;
export type Amounts = Record<Metric, number>;

const METRICS = Object.keys(TRANSACTION_LIMITS) as Metric[];
const READ_METRICS: ReadonlySet<Metric> = new Set([
  "bytesRead",
  "documentsRead",
  "databaseQueries",
  "filesRead",
  "fileReadBytes",
]);

const EXCEEDED: Record<Metric, string> = {
  bytesRead: "Read too much data in a single function execution",
  bytesWritten: "Wrote too much data in a single function execution",
  databaseQueries: "Too many index ranges read in a single function execution",
  documentsRead: "Scanned too many documents in a single function execution",
  documentsWritten: "Wrote too many documents in a single function execution",
  functionsScheduled: "Scheduled too many functions in a single function execution",
  scheduledFunctionArgsBytes:
    "Scheduled function arguments too large in a single function execution",
  filesWritten: "Too many files stored by this mutation",
  fileWriteBytes: "Too large total size of the files stored by this mutation",
  filesRead: "Too many files read by this mutation",
  fileReadBytes: "Too large total size of the files read by this mutation",
};

type Layer = { readonly used: Amounts; readonly limits: Amounts };

export class Usage {
  readonly #layers: Layer[];
  readonly #filesRead = new Set<string>();

  /** `unbounded` is for the engine's own reads, such as counting a table for the CLI. */
  constructor(bounds: "convex" | "unbounded" = "convex") {
    const limitOf = (metric: Metric): number =>
      bounds === "convex" ? TRANSACTION_LIMITS[metric] : Infinity;
    this.#layers = [{ used: amounts(() => 0), limits: amounts(limitOf) }];
  }

  /** Counts, then throws a FunctionError when that was too much. */
  add(metric: Metric, amount: number): void {
    const { used, limits: bounds } = this.#current();
    used[metric] += amount;
    if (used[metric] <= bounds[metric]) return;
    const unit = metric.toLowerCase().includes("bytes") ? " bytes" : "";
    throw new FunctionError(
      `${EXCEEDED[metric]} (limit: ${bounds[metric]}${unit}). ` +
        "This is a Convex limit: https://docs.convex.dev/production/state/limits",
    );
  }

  addRead(bytes: number): void {
    this.add("bytesRead", bytes);
    this.add("documentsRead", 1);
  }

  /** A file counts once, however often it is read. */
  addFileRead(file: string, bytes: number): void {
    if (this.#filesRead.has(file)) return;
    this.#filesRead.add(file);
    this.add("filesRead", 1);
    this.add("fileReadBytes", bytes);
  }

  addWrite(bytes: number): void {
    this.add("bytesWritten", bytes);
    this.add("documentsWritten", 1);
  }

  /** A nested call begins. `requested` bounds its own consumption and can only lower what is left. */
  enter(requested: Partial<Amounts> = {}): void {
    const parent = this.#current();
    this.#layers.push({
      used: { ...parent.used },
      limits: amounts((metric) =>
        Math.min(parent.limits[metric], parent.used[metric] + (requested[metric] ?? Infinity)),
      ),
    });
  }

  /** The nested call ended; when it was rolled back its writes do not count. */
  leave(outcome: "committed" | "rolled-back"): void {
    const child = this.#layers.pop();
    const parent = this.#current();
    if (child === undefined) return;
    for (const metric of METRICS) {
      if (outcome === "committed" || READ_METRICS.has(metric)) {
        parent.used[metric] = child.used[metric];
      }
    }
  }

  used(metric: Metric): number {
    return this.#current().used[metric];
  }

  /** In the shape of ctx.meta.getTransactionMetrics(). */
  metrics(): Record<Metric, { used: number; remaining: number }> {
    const { used, limits: bounds } = this.#current();
    const entries = METRICS.map((metric) => [
      metric,
      { used: used[metric], remaining: bounds[metric] - used[metric] },
    ]);
    return Object.fromEntries(entries) as Record<Metric, { used: number; remaining: number }>;
  }

  #current(): Layer {
    const layer = this.#layers.at(-1);
    if (layer === undefined) throw new Error("A nested call left its usage twice.");
    return layer;
  }
}

function amounts(of: (metric: Metric) => number): Amounts {
  return Object.fromEntries(METRICS.map((metric) => [metric, of(metric)])) as Amounts;
}
