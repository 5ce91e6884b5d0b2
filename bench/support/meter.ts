/**
 * Owns: what each call is billed for, seen at the seam between user functions and convex-test.
 * Not: bills as values (bill.ts), prices (prices.ts).
 *
 * As Convex's backend bills: a document that is read counts its size, each time that it is read; what a transaction
 * writes counts once, as it is at commit, with its key in every index of the table that is the table's own; a patch, a
 * replace and a delete read the old document; a deletion writes nothing. System tables are not counted.
 */
import { getConvexSize, getDocumentSize, jsonToConvex } from "convex/values";
import type { JSONValue, Value } from "convex/values";
import { amountsOf, newBill } from "./bill.ts";
import type { Bill } from "./bill.ts";

/** Fields of each index of a table, by "component/table". */
export type Indexes = ReadonlyMap<string, readonly (readonly string[])[]>;

type Document = Record<string, Value>;

/** What convex-test installs for user functions to call. */
type Seam = {
  syscall: (op: string, argsJson: string) => string;
  asyncSyscall: (op: string, argsJson: string) => Promise<string>;
  jsSyscall: (op: string, args: unknown) => Promise<unknown>;
};

type Query = { source: { type: string; indexName?: string; tableName?: string } };

/** A query that is being read. Components number theirs alike. */
type Stream = { queryId: number; table: string; component: Promise<string>; isCounted: boolean };

/** A call that is under way. */
type Open = {
  bill: Bill;
  streams: Stream[];
  /** By id, as of now. */
  written: Map<string, { table: string; document: Document | null }>;
};

type Note = { op: string; args: Arguments; result: JSONValue; before: Document | null };
type Arguments = { table: string; id: string; queryId: number; query: Query };

const REPLACING = new Set(["1.0/shallowMerge", "1.0/replace", "1.0/remove"]);

export class Meter {
  readonly #indexes: Indexes;
  #isOpen = false;

  constructor(indexes: Indexes) {
    this.#indexes = indexes;
  }

  /** Runs one call, a transaction of its own, and returns its bill. Nothing else may run meanwhile. */
  async bill(work: () => Promise<unknown>): Promise<Bill> {
    if (this.#isOpen) throw new Error("A call is metered already; wanted one at a time.");
    const holder = globalThis as { Convex?: Seam };
    const seam = holder.Convex;
    if (seam === undefined) throw new Error("convex-test is not installed: deploy first.");
    const open: Open = { bill: newBill(), streams: [], written: new Map() };
    this.#isOpen = true;
    holder.Convex = metered(seam, open);
    try {
      await work();
    } finally {
      holder.Convex = seam;
      this.#isOpen = false;
    }
    this.#commit(open);
    return open.bill;
  }

  #commit({ bill, written }: Open): void {
    for (const { table, document } of written.values()) {
      const amounts = amountsOf(bill, table);
      amounts.documentsWritten += 1;
      if (document === null) continue;
      amounts.writtenBytes += getDocumentSize(document);
      for (const fields of this.#indexes.get(table) ?? []) {
        amounts.writtenBytes += keySize(document, fields);
      }
    }
  }
}

/** The fields, the creation time and the id. */
function keySize(document: Document, fields: readonly string[]): number {
  const all = [...fields, "_creationTime", "_id"];
  return all.reduce((sum, field) => sum + Math.max(1, getConvexSize(document[field])), 0);
}

function metered(seam: Seam, open: Open): Seam {
  return {
    jsSyscall: (op, args) => seam.jsSyscall(op, args),
    syscall: (op, args) => {
      const result = seam.syscall(op, args);
      if (op === "1.0/queryStream") {
        const { queryId } = JSON.parse(result) as { queryId: number };
        const { query } = JSON.parse(args) as { query: Query };
        const component = componentOf(seam, open);
        open.streams.push({ queryId, table: tableOf(query), component, isCounted: false });
      }
      return result;
    },
    asyncSyscall: async (op, args) => {
      const parsed = JSON.parse(args) as Arguments;
      const before = REPLACING.has(op) ? await read(seam, parsed.table, parsed.id) : null;
      const result = await seam.asyncSyscall(op, args);
      await note(seam, open, { op, args: parsed, result: JSON.parse(result) as JSONValue, before });
      return result;
    },
  };
}

async function note(seam: Seam, open: Open, { op, args, result, before }: Note): Promise<void> {
  switch (op) {
    case "1.0/schedule":
      open.bill.scheduled += 1;
      return;
    case "1.0/get":
      countRange(open, `${await componentOf(seam, open)}/${args.table}`, [result]);
      return;
    case "1.0/queryPage":
      countRange(
        open,
        `${await componentOf(seam, open)}/${tableOf(args.query)}`,
        field(result, "page"),
      );
      return;
    case "1.0/queryStreamNext":
      await countNext(seam, open, args.queryId, field(result, "value"));
      return;
    case "1.0/insert":
      await countWrite(seam, open, { ...args, id: (result as { _id: string })._id }, null);
      return;
    case "1.0/shallowMerge":
    case "1.0/replace":
    case "1.0/remove":
      await countWrite(seam, open, args, before);
      return;
    default:
  }
}

function countRange({ bill }: Open, table: string, rows: JSONValue | undefined): void {
  amountsOf(bill, table).ranges += 1;
  if (Array.isArray(rows)) for (const row of rows) countRead(bill, table, toDocument(row));
}

async function countNext(
  seam: Seam,
  open: Open,
  queryId: number,
  row: JSONValue | undefined,
): Promise<void> {
  const component = await componentOf(seam, open);
  for (const stream of open.streams.toReversed()) {
    if (stream.queryId !== queryId || (await stream.component) !== component) continue;
    const table = `${component}/${stream.table}`;
    if (!stream.isCounted) amountsOf(open.bill, table).ranges += 1;
    stream.isCounted = true;
    countRead(open.bill, table, toDocument(row));
    return;
  }
  throw new Error(`Query ${queryId} of component "${component}" is read and was never begun.`);
}

async function countWrite(
  seam: Seam,
  open: Open,
  { table, id }: { table: string; id: string },
  before: Document | null,
): Promise<void> {
  const component = await componentOf(seam, open);
  const qualified = `${component}/${table}`;
  countRead(open.bill, qualified, before);
  open.written.set(`${component}/${id}`, {
    table: qualified,
    document: await read(seam, table, id),
  });
}

function countRead(bill: Bill, table: string, document: Document | null): void {
  if (document === null) return;
  const amounts = amountsOf(bill, table);
  amounts.documentsRead += 1;
  amounts.readBytes += getDocumentSize(document);
}

/** The component whose function is running; notes the outermost function's name on the way. */
async function componentOf(seam: Seam, { bill }: Open): Promise<string> {
  const text = await seam.asyncSyscall("1.0/getFunctionMetadata", "{}");
  const { name, componentPath } = JSON.parse(text) as { name: string; componentPath: string };
  bill.name ??= name;
  return componentPath;
}

async function read(seam: Seam, table: string, id: string): Promise<Document | null> {
  const text = await seam.asyncSyscall("1.0/get", JSON.stringify({ table, id }));
  return toDocument(JSON.parse(text) as JSONValue);
}

function tableOf({ source }: Query): string {
  return source.tableName ?? source.indexName?.split(".")[0] ?? "?";
}

function field(value: JSONValue, name: string): JSONValue | undefined {
  return value === null || typeof value !== "object" || Array.isArray(value)
    ? undefined
    : value[name];
}

function toDocument(json: JSONValue | undefined): Document | null {
  if (json === undefined || json === null) return null;
  const value = jsonToConvex(json);
  if (typeof value !== "object" || value === null) return null;
  const fields = Object.entries(value).filter(
    (entry): entry is [string, Value] => entry[1] !== undefined,
  );
  return Object.fromEntries(fields);
}
