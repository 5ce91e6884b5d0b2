/**
 * Owns: what a call under convex-test read and wrote, seen at the seam between user functions and the backend.
 * Not: what the engine touched (it tells by itself).
 *
 * Ranges are taken whole, also where a query stopped early: what is disjoint here is disjoint on Convex.
 */
import { compareValues, jsonToConvex } from "convex/values";
import type { JSONValue, Value } from "convex/values";
import type { Footprint, Overlap } from "./runtime.ts";

type Bound = { type: "Eq" | "Gt" | "Gte" | "Lt" | "Lte"; fieldPath: string; value: JSONValue };
type Read = { table: string; bounds: readonly Bound[] };
type Document = Record<string, Value | undefined>;
type Write = { table: string; id: string; document: Document };

/** The functions that convex-test installs for user code to call. */
type Seam = {
  syscall: (op: string, argsJson: string) => string;
  asyncSyscall: (op: string, argsJson: string) => Promise<string>;
  jsSyscall: (op: string, args: unknown) => Promise<unknown>;
};

export class RecordedFootprint implements Footprint {
  readonly reads: Read[] = [];
  readonly writes: Write[] = [];
  ranges = 0;

  /** A document that is written twice in one transaction is written once when it commits. */
  get documentsWritten(): number {
    return new Set(this.writes.map(({ id }) => id)).size;
  }

  overlap(other: Footprint): Overlap {
    if (!(other instanceof RecordedFootprint))
      throw new Error("Footprints of two runtimes cannot be compared.");
    const conflicts = [
      ...other.writes.filter((write) => this.reads.some((read) => covers(read, write))),
      ...this.writes.filter((write) => other.reads.some((read) => covers(read, write))),
      ...this.writes.filter((write) => other.writes.some(({ id }) => id === write.id)),
    ];
    const shared = this.reads.filter((read) =>
      other.reads.some((twin) => JSON.stringify(twin) === JSON.stringify(read)),
    );
    return { conflicts: namesOf(conflicts), sharedReads: namesOf(shared) };
  }
}

/** Runs `work` and notes what every transaction in it touches. Nothing else may run meanwhile. */
export async function record<T>(work: () => Promise<T>): Promise<RecordedFootprint> {
  const footprint = new RecordedFootprint();
  const holder = globalThis as { Convex?: Seam };
  const seam = holder.Convex;
  if (seam === undefined) throw new Error("convex-test is not installed: create a runtime first.");
  holder.Convex = {
    syscall: (op, argsJson) => {
      const { query } = JSON.parse(argsJson) as Args;
      if (op === "1.0/queryStream" && query !== undefined) noteQuery(footprint, query);
      return seam.syscall(op, argsJson);
    },
    asyncSyscall: async (op, argsJson) => {
      const args = JSON.parse(argsJson) as Args;
      const before = await documentBefore(seam, op, args);
      const resultJson = await seam.asyncSyscall(op, argsJson);
      const result = JSON.parse(resultJson) as { _id: string };
      noteAsync(footprint, op, { args, result, before });
      return resultJson;
    },
    jsSyscall: (op, args) => seam.jsSyscall(op, args),
  };
  try {
    await work();
  } finally {
    holder.Convex = seam;
  }
  return footprint;
}

/** What the syscalls in question are given; each has some of it. */
type Args = {
  table: string;
  id: string;
  query?: { source: Source };
  value?: Record<string, JSONValue>;
};

function noteQuery(footprint: RecordedFootprint, { source }: { source: Source }): void {
  const isIndexed = source.type === "IndexRange";
  const table = isIndexed ? (source.indexName.split(".")[0] ?? "") : source.tableName;
  footprint.reads.push({ table, bounds: isIndexed ? source.range : [] });
  footprint.ranges += 1;
}

type Source =
  | { type: "IndexRange"; indexName: string; range: Bound[] }
  | { type: "FullTableScan"; tableName: string };

type AsyncNote = { args: Args; result: { _id: string }; before: Document | null };

function noteAsync(footprint: RecordedFootprint, op: string, note: AsyncNote): void {
  const { args, result, before } = note;
  switch (op) {
    case "1.0/get":
      footprint.ranges += 1;
      footprint.reads.push(readOfId(args.table, args.id));
      break;
    case "1.0/queryPage":
      if (args.query !== undefined) noteQuery(footprint, args.query);
      break;
    case "1.0/insert":
      footprint.writes.push({ table: args.table, id: result._id, document: decode(note.args) });
      break;
    case "1.0/shallowMerge":
    case "1.0/replace":
    case "1.0/remove":
      footprint.writes.push({ table: args.table, id: args.id, document: before ?? {} });
      if (op !== "1.0/remove") {
        const document = { ...before, ...decode(note.args) };
        footprint.writes.push({ table: args.table, id: args.id, document });
      }
      break;
    default:
  }
}

function readOfId(table: string, id: string): Read {
  return { table, bounds: [{ type: "Eq", fieldPath: "_id", value: id }] };
}

async function documentBefore(
  seam: Seam,
  op: string,
  args: { table: string; id: string },
): Promise<Document | null> {
  if (!["1.0/shallowMerge", "1.0/replace", "1.0/remove"].includes(op)) return null;
  const text = await seam.asyncSyscall(
    "1.0/get",
    JSON.stringify({ table: args.table, id: args.id }),
  );
  return toDocument(jsonToConvex(JSON.parse(text) as JSONValue));
}

/** The fields that a write gives; one that it removes is undefined. */
function decode(args: { value?: Record<string, JSONValue> }): Document {
  return Object.fromEntries(
    Object.entries(args.value ?? {}).map(([field, value]) => [field, decodeField(value)]),
  );
}

function decodeField(value: JSONValue): Value | undefined {
  const text = JSON.stringify(value);
  if (text.includes('"$undefined"')) return undefined;
  return text === '{"$commitTs":null}' ? 2n ** 63n - 1n : jsonToConvex(value);
}

function toDocument(value: Value): Document | null {
  return typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof ArrayBuffer)
    ? { ...value }
    : null;
}

function covers(read: Read, write: Write): boolean {
  if (read.table !== write.table) return false;
  const document: Document = { ...write.document, _id: write.id };
  return read.bounds.every((bound) => holds(bound, document[bound.fieldPath]));
}

function holds({ type, value }: Bound, actual: Value | undefined): boolean {
  const order = compareValues(actual, decodeField(value));
  switch (type) {
    case "Eq":
      return order === 0;
    case "Gt":
      return order > 0;
    case "Gte":
      return order >= 0;
    case "Lt":
      return order < 0;
    case "Lte":
      return order <= 0;
    default:
      return type satisfies never;
  }
}

function namesOf(touched: readonly { table: string }[]): string[] {
  return [...new Set(touched.map(({ table }) => table))].sort();
}
