/**
 * Owns: one page of a query, its cursors, and that pages of a subscription neither gap nor overlap.
 * Not: the reads themselves (query-stream.ts).
 *
 * A cursor is the index key of the last row that was looked at. The end of a page is pinned: by the client
 * (`endCursor`), or by the journal that it hands back when it re-subscribes; a pinned page holds whatever lies in its
 * range, however many rows join it.
 */
import { FunctionError } from "../errors.ts";
import { MAX_ARRAY_LENGTH, MAX_DOCUMENTS_READ, MAX_READ_BYTES } from "../limits.ts";
import type { Key } from "../storage/storage.ts";
import { justAfter } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import type { JSONValue } from "../values/kinds.ts";
import { QueryStream } from "./query-stream.ts";
import type { QueryPlan } from "./query-stream.ts";

/** The cursor behind the last row. */
const END_CURSOR = "_end_cursor";
/** Of a limit: from here on the client is told to split the page, before reading it fails. */
const SOFT_SHARE = 3 / 4;

export type PageRequest = {
  readonly cursor: string | null;
  readonly endCursor?: string | null;
  readonly pageSize: number;
  readonly maximumRowsRead?: number | null;
  readonly maximumBytesRead?: number | null;
};

export type Page = {
  readonly page: JSONValue[];
  readonly isDone: boolean;
  readonly continueCursor: string;
  readonly splitCursor: string | null;
  readonly pageStatus: "SplitRecommended" | "SplitRequired" | null;
};

export function readPage(
  transaction: Transaction,
  plan: QueryPlan,
  request: PageRequest,
  pinnedEnd: string | null,
): Page {
  assertRequest(request);
  const end = request.endCursor ?? pinnedEnd;
  const range = between(plan, request.cursor, end);
  const stream = new QueryStream(transaction, { ...plan, range, limit: Infinity });
  const rows = collect(stream, request, end !== null);
  stream.close();
  const continueCursor =
    end ?? (rows.isExhausted ? END_CURSOR : encodeCursor(rows.positions.at(-1)));
  return {
    page: rows.page,
    isDone: continueCursor === END_CURSOR,
    continueCursor,
    splitCursor: rows.positions.length > 2 ? middleOf(rows.positions) : null,
    pageStatus: statusOf(rows, stream, request),
  };
}

/** User code may have been called without types, so a cursor can be anything, also missing. */
function assertRequest(request: PageRequest): void {
  const { cursor, endCursor = null, pageSize, maximumRowsRead, maximumBytesRead } = request;
  assertCursor("cursor", cursor);
  assertCursor("endCursor", endCursor);
  if (!(pageSize >= 1)) {
    throw new FunctionError("Must request at least 1 document while paginating");
  }
  if (maximumRowsRead === 0 || maximumBytesRead === 0) {
    throw new FunctionError("maximumRowsRead and maximumBytesRead must be greater than 0");
  }
}

function assertCursor(name: string, cursor: unknown): void {
  if (cursor === null || typeof cursor === "string") return;
  throw new FunctionError(
    `\`options.${name}\` of paginate() is ${JSON.stringify(cursor) ?? "missing"}; wanted null for the first page, or the \`continueCursor\` of the page before.`,
  );
}

type Rows = {
  readonly page: JSONValue[];
  readonly positions: Key[];
  isExhausted: boolean;
  isCutShort: boolean;
};

/** A page with a pinned end is read to that end, whatever its size. */
function collect(stream: QueryStream, request: PageRequest, hasEnd: boolean): Rows {
  const rows: Rows = { page: [], positions: [], isExhausted: false, isCutShort: false };
  const maxRows = request.maximumRowsRead ?? Infinity;
  const maxBytes = request.maximumBytesRead ?? Infinity;
  while (hasEnd || rows.page.length < request.pageSize) {
    const document = stream.advance();
    if (document === null || stream.position === null) {
      rows.isExhausted = true;
      break;
    }
    rows.positions.push(stream.position);
    if (stream.passes(document)) rows.page.push(document);
    if (!hasEnd && (stream.rowsRead >= maxRows || stream.bytesRead >= maxBytes)) {
      rows.isCutShort = rows.page.length < request.pageSize;
      break;
    }
  }
  return rows;
}

function statusOf(rows: Rows, stream: QueryStream, request: PageRequest): Page["pageStatus"] {
  if (rows.isCutShort) return "SplitRequired";
  const maxRows = Math.min(request.maximumRowsRead ?? Infinity, MAX_DOCUMENTS_READ);
  const maxBytes = Math.min(request.maximumBytesRead ?? Infinity, MAX_READ_BYTES);
  const isLarge =
    stream.rowsRead > maxRows * SOFT_SHARE ||
    stream.bytesRead > maxBytes * SOFT_SHARE ||
    rows.page.length > MAX_ARRAY_LENGTH * SOFT_SHARE;
  return isLarge ? "SplitRecommended" : null;
}

function middleOf(positions: readonly Key[]): string {
  return encodeCursor(positions[positions.length >> 1]);
}

/** What of the plan's range lies behind `cursor` and up to `end`, the row of `end` included. */
function between(plan: QueryPlan, cursor: string | null, end: string | null): QueryPlan["range"] {
  let { lo, hi } = plan.range;
  if (cursor !== null) {
    if (cursor === END_CURSOR) [lo, hi] = [hi, hi];
    else if (plan.order === "asc") lo = justAfter(decodeCursor(cursor, plan));
    else hi = decodeCursor(cursor, plan);
  }
  if (end !== null && end !== END_CURSOR) {
    if (plan.order === "asc") hi = smaller(hi, justAfter(decodeCursor(end, plan)));
    else lo = greater(lo, decodeCursor(end, plan));
  }
  return { ...plan.range, lo, hi };
}

function smaller(a: Key, b: Key): Key {
  return a < b ? a : b;
}

function greater(a: Key, b: Key): Key {
  return a > b ? a : b;
}

function encodeCursor(position: Key | undefined): string {
  return Buffer.from(position ?? "", "latin1").toString("base64url");
}

/** Official clients recognise "InvalidCursor" and begin again at the first page. */
function decodeCursor(cursor: string, { range }: QueryPlan): Key {
  const position = Buffer.from(cursor, "base64url").toString("latin1");
  if (position >= range.lo && position < range.hi) return position;
  throw new FunctionError(
    "InvalidCursor: Tried to run a query starting from a cursor, but it looks like this cursor is from a different query.",
  );
}
