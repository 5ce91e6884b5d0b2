/**
 * Owns: what `_system/…` queries can read of a deployment, recorded like any other read.
 * Not: the queries (system/).
 */
import type { FunctionSpec, SystemReader } from "../application.ts";
import { wholeTable } from "../catalog/index-range.ts";
import type { EngineParts } from "../functions/engine-parts.ts";
import { readPage } from "../functions/pagination.ts";
import { SYSTEM, TABLES, endOf, textBytes } from "../transactions/key-space.ts";
import type { Transaction } from "../transactions/transaction.ts";
import { encodeKey } from "../values/keys.ts";
import type { Environment } from "./environment.ts";

export function systemReader(
  transaction: Transaction,
  engine: EngineParts,
  environment: Environment,
): SystemReader {
  return {
    tables(componentPath) {
      const prefix = TABLES + encodeKey(componentPath);
      transaction.reads.add(prefix, endOf(prefix));
      return engine.catalog.tablesOf(componentPath).map((table) => table.name);
    },
    page(componentPath, name, { cursor, limit, order }) {
      const table = engine.catalog.resolve(componentPath, name);
      const plan = { table, range: wholeTable(table), order, filters: [], limit: Infinity };
      const request = { cursor, pageSize: limit };
      const { page, isDone, continueCursor } = readPage(transaction, plan, request, null);
      return { page: page.map((document) => JSON.stringify(document)), isDone, continueCursor };
    },
    environment: () => environment.list(transaction),
    stored: (key) => transaction.read(SYSTEM + textBytes(key)) ?? null,
    components: () => [...engine.deployment().instances.keys()],
    functions: (componentPath) => functionSpecs(engine, componentPath),
  };
}

function functionSpecs(engine: EngineParts, componentPath: string): FunctionSpec[] {
  const functions = engine.deployment().instances.get(componentPath)?.functions() ?? [];
  return functions.map(({ path, kind, isPublic, argsValidator, returnsValidator }) => ({
    identifier: path.replace(":", ".js:"),
    kind,
    isPublic,
    argsValidator,
    returnsValidator,
  }));
}
