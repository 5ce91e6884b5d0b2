/**
 * Owns: reading the query that npm's `convex` serialises: source, filters, limit.
 * Not: running it (query-stream.ts, pagination.ts).
 */
import type { Catalog } from "../catalog/catalog.ts";
import { indexRange, wholeTable } from "../catalog/index-range.ts";
import type { RangeExpression } from "../catalog/index-range.ts";
import { FunctionError } from "../errors.ts";
import type { Order } from "../transactions/merged-cursor.ts";
import type { JSONValue } from "../values/kinds.ts";
import type { QueryPlan } from "./query-stream.ts";

export type SerializedQuery = {
  readonly source:
    | { readonly type: "FullTableScan"; readonly tableName: string; readonly order: Order | null }
    | {
        readonly type: "IndexRange";
        readonly indexName: string;
        readonly range: readonly RangeExpression[];
        readonly order: Order | null;
      }
    | { readonly type: "Search" };
  readonly operators: readonly ({ readonly filter: JSONValue } | { readonly limit: number })[];
};

export function planQuery(
  catalog: Catalog,
  componentPath: string,
  { source, operators }: SerializedQuery,
): QueryPlan {
  if (source.type === "Search") {
    throw new FunctionError(
      "Full text search (withSearchIndex) is not supported by the embedded engine. " +
        "Use an index, or move to Convex with `npx convex deploy`.",
    );
  }
  const order = source.order ?? "asc";
  const filters = operators.flatMap((each) => ("filter" in each ? [each.filter] : []));
  const limits = operators.flatMap((each) => ("limit" in each ? [each.limit] : []));
  const limit = Math.min(Infinity, ...limits);
  if (source.type === "FullTableScan") {
    const table = catalog.resolve(componentPath, source.tableName);
    return { table, range: wholeTable(table), order, filters, limit };
  }
  const dot = source.indexName.indexOf(".");
  const table = catalog.resolve(componentPath, source.indexName.slice(0, dot));
  const range = indexRange(table, source.indexName.slice(dot + 1), source.range);
  return { table, range, order, filters, limit };
}
