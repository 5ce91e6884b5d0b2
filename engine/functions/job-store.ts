/**
 * Owns: the rows of ctx.scheduler: what user code sees in `_scheduled_functions`, and when each is due.
 * Not: running the jobs (application/jobs.ts), waiting for the time (scheduler/).
 */
import type { FunctionTarget, ScheduledJob } from "../application.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Documents } from "../catalog/documents.ts";
import type { Document, Table } from "../catalog/tables.ts";
import { FunctionError } from "../errors.ts";
import type { Key } from "../storage/storage.ts";
import { SCHEDULED_FUNCTIONS } from "../system-tables.ts";
import { DUE_JOBS, FINISHED_JOBS, RUNNING_JOBS, endOf } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { encodeKey } from "../values/keys.ts";
import type { JSONObject, JSONValue } from "../values/kinds.ts";
import { sizeOf } from "../values/sizes.ts";

/** Convex keeps results for 7 days; a worker that schedules itself every second would fill the file with them. */
const KEEP_FINISHED_MS = 24 * 60 * 60 * 1000;
/** More than one per finished job, so that the rows cannot pile up. */
const REMOVED_PER_FINISH = 4;

export type JobState =
  | { readonly kind: "pending" | "inProgress" | "success" | "canceled" }
  | { readonly kind: "failed"; readonly error: string };

type DueRow = Omit<ScheduledJob, "id" | "dueAt">;

export class JobStore {
  readonly #catalog: Catalog;
  readonly #documents: Documents;

  constructor(catalog: Catalog, documents: Documents) {
    this.#catalog = catalog;
    this.#documents = documents;
  }

  /** Returns the job's id, which lies in the table of the component that schedules. */
  schedule(
    transaction: Transaction,
    componentPath: string,
    job: { readonly target: FunctionTarget; readonly args: JSONValue; readonly dueAt: number },
  ): string {
    const { target, args, dueAt } = job;
    transaction.usage.add("functionsScheduled", 1);
    transaction.usage.add("scheduledFunctionArgsBytes", sizeOf(args));
    const table = this.#catalog.ensure(transaction, componentPath, SCHEDULED_FUNCTIONS);
    const id = this.#documents.insert(transaction, table, {
      name: target.path.replace(":", ".js:"),
      args: [args],
      scheduledTime: dueAt,
      state: { kind: "pending" },
    });
    const row: DueRow = { target, argsJson: JSON.stringify(args) };
    transaction.put(dueKey(dueAt, id), JSON.stringify(row));
    return id;
  }

  /** A job that has begun goes on; what it scheduled itself stays, too. */
  cancel(transaction: Transaction, componentPath: string, id: string): void {
    const table = this.#catalog.tableOfId(componentPath, id);
    if (table?.name !== SCHEDULED_FUNCTIONS) {
      throw new FunctionError(
        `ctx.scheduler.cancel() takes the id of a scheduled function; got "${id}".`,
      );
    }
    const row = this.#documents.read(transaction, table, id);
    if (row === undefined) return;
    transaction.put(dueKey(dueTimeOf(row), id), null);
    if (stateOf(row).kind === "pending")
      this.#finish(transaction, table, row, { kind: "canceled" });
  }

  isPending(transaction: Transaction, job: ScheduledJob): boolean {
    return transaction.peek(dueKey(job.dueAt, job.id)) !== undefined;
  }

  /** An action begins; it does not run again, whatever happens. */
  markRunning(transaction: Transaction, job: ScheduledJob): void {
    transaction.put(dueKey(job.dueAt, job.id), null);
    transaction.put(RUNNING_JOBS + job.id, "");
    const found = this.#find(transaction, job.id);
    if (found)
      this.#setState(transaction, found.table, found.row, { state: { kind: "inProgress" } });
  }

  markFinished(transaction: Transaction, id: string, state: JobState): void {
    transaction.put(RUNNING_JOBS + id, null);
    const found = this.#find(transaction, id);
    if (found === undefined) return;
    transaction.put(dueKey(dueTimeOf(found.row), id), null);
    this.#finish(transaction, found.table, found.row, state);
  }

  /** Ids of the actions that had begun when the process died. */
  running(transaction: Transaction): string[] {
    const ids: string[] = [];
    const rows = transaction.range(RUNNING_JOBS, endOf(RUNNING_JOBS), "asc");
    while (rows.next()) ids.push(rows.key.slice(RUNNING_JOBS.length));
    return ids;
  }

  /** Oldest first; `nextDueAt` is when the first job that is not among them is due. */
  due(
    transaction: Transaction,
    now: number,
    limit: number,
  ): { jobs: ScheduledJob[]; nextDueAt: number | null } {
    const jobs: ScheduledJob[] = [];
    const rows = transaction.range(DUE_JOBS, endOf(DUE_JOBS), "asc");
    while (rows.next()) {
      const { dueAt, id } = parseDueKey(rows.key);
      if (dueAt > now || jobs.length === limit) return { jobs, nextDueAt: dueAt };
      jobs.push({ id, dueAt, ...(JSON.parse(rows.value) as DueRow) });
    }
    return { jobs, nextDueAt: null };
  }

  #find(transaction: Transaction, id: string): { table: Table; row: Document } | undefined {
    const table = this.#catalog.systemTableOfId(id);
    const row = table && this.#documents.peek(transaction, table, id);
    return row && { table, row };
  }

  #finish(transaction: Transaction, table: Table, row: Document, state: JobState): void {
    this.#setState(transaction, table, row, { state, completedTime: transaction.now });
    transaction.put(finishedKey(transaction.now, row._id), "");
    this.#removeOld(transaction);
  }

  #setState(transaction: Transaction, table: Table, row: Document, change: JSONObject): void {
    const { _id: _, _creationTime: __, ...fields } = row;
    this.#documents.replace(transaction, table, row, { ...fields, ...change });
  }

  #removeOld(transaction: Transaction): void {
    const until = finishedKey(transaction.now - KEEP_FINISHED_MS, "");
    const rows = transaction.range(FINISHED_JOBS, until, "asc");
    for (let count = 0; count < REMOVED_PER_FINISH && rows.next(); count++) {
      const found = this.#find(transaction, parseTimedKey(rows.key).id);
      if (found) this.#documents.remove(transaction, found.table, found.row);
      transaction.put(rows.key, null);
    }
  }
}

function stateOf(row: Document): JobState {
  return row["state"] as JobState;
}

function dueTimeOf(row: Document): number {
  return Number(row["scheduledTime"]);
}

function dueKey(dueAt: number, id: string): Key {
  return DUE_JOBS + timeBytes(dueAt) + id;
}

function finishedKey(at: number, id: string): Key {
  return FINISHED_JOBS + timeBytes(at) + id;
}

/** A tag and eight bytes. */
function timeBytes(ms: number): Key {
  return encodeKey(ms);
}

const TIME_LENGTH = 9;

function parseTimedKey(key: Key): { time: Key; id: string } {
  const idStart = DUE_JOBS.length + TIME_LENGTH;
  return { time: key.slice(DUE_JOBS.length, idStart), id: key.slice(idStart) };
}

function parseDueKey(key: Key): { dueAt: number; id: string } {
  const { time, id } = parseTimedKey(key);
  return { dueAt: readTime(time), id };
}

/** The inverse of the key encoding for times after 1970: their sign bit is flipped. */
function readTime(time: Key): number {
  const bytes = Buffer.from(time.slice(1), "latin1");
  bytes.writeUInt8(bytes.readUInt8(0) ^ 0x80, 0);
  return bytes.readDoubleBE(0);
}
