/**
 * Owns: what the one list of behaviours needs of a runtime: call functions, move time, look at rows, see what a call
 * touched. convex-test and the embedded engine each give one.
 * Not: the behaviours.
 */
import type { FunctionArgs, FunctionReference, FunctionReturnType } from "convex/server";

export type Query = FunctionReference<"query", "public" | "internal">;
export type Action = FunctionReference<"action", "public" | "internal">;
export type Mutation = FunctionReference<"mutation", "public" | "internal">;

/** Which tables two calls share, by name. */
export type Overlap = {
  /** One wrote what the other read or wrote: at the same moment, one of them would have to run again. */
  readonly conflicts: readonly string[];
  /** Both read the same. */
  readonly sharedReads: readonly string[];
};

export interface Footprint {
  readonly documentsWritten: number;
  /** Index ranges read, as the transaction's metrics count them. */
  readonly ranges: number;
  overlap(other: Footprint): Overlap;
}

export type Row = Record<string, unknown> & { _id: string };

/** What a browser sends with each of its requests, and so what they send unless a test says otherwise; "none" stands for no header. */
export const BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

/** The headers of a request as its sender meant them. */
export function headersOf(init: RequestInit): Headers {
  const headers = new Headers(init.headers);
  if (headers.get("User-Agent") === null) headers.set("User-Agent", BROWSER);
  if (headers.get("User-Agent") === "none") headers.delete("User-Agent");
  return headers;
}

/** `args` as JSON text. */
export type Job = { readonly name: string; readonly state: string; readonly args: string };

/** Where a call comes from; what is left out is unknown. */
export type Sender = { readonly userAgent?: string | null; readonly ip?: string | null };

export interface Runtime {
  /** Epoch ms of the runtime's clock. */
  now(): number;
  query<F extends Query>(reference: F, args: FunctionArgs<F>): Promise<FunctionReturnType<F>>;
  mutation<F extends Mutation>(
    reference: F,
    args: FunctionArgs<F>,
    request?: Sender,
  ): Promise<FunctionReturnType<F>>;
  action<F extends Action>(reference: F, args: FunctionArgs<F>): Promise<FunctionReturnType<F>>;
  footprint<F extends Mutation | Query>(
    reference: F,
    args: FunctionArgs<F>,
    request?: Sender,
  ): Promise<Footprint>;
  post(path: string, body: string, request?: Sender): Promise<Response>;
  /** Any request to the HTTP routes; its User-Agent header is the caller's, and that of BROWSER when it has none. */
  fetch(path: string, init: RequestInit, request?: Pick<Sender, "ip">): Promise<Response>;
  /** Everything that was logged while `work` ran, as text. */
  logged(work: () => Promise<void>): Promise<string>;
  /** Moves the clock; what is scheduled runs when it is due. Crons do not run by themselves. */
  advance(ms: number): Promise<void>;
  /** Forgets everything that is scheduled, as if each job had failed. */
  dropScheduled(): Promise<void>;
  /** Every job that was ever scheduled, as far as the runtime keeps them. */
  scheduled(): Promise<readonly Job[]>;
  rows(table: string): Promise<Row[]>;
  insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void>;
  /** The same with the commitTs of their transaction: rows of a log. */
  insertLogged(table: string, rows: readonly Record<string, unknown>[]): Promise<void>;
  remove(table: string, rows: readonly Row[]): Promise<void>;
  close(): Promise<void>;
}

/** Starts an empty deployment of convex/ whose clock stands at `startsAt`. */
export type CreateRuntime = (startsAt: number) => Promise<Runtime>;
