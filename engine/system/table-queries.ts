/** Owns: what `npx convex data` and the watch of a failed push ask about tables. */
import type { SystemQuery, SystemReader } from "../application.ts";
import { FunctionError } from "../errors.ts";
import { FILE_TABLE, SCHEDULED_FUNCTIONS } from "../system-tables.ts";
import { parseSystemArgs, readPageRequest, readText } from "./system-args.ts";

/** Sizing a table is for a warning about tables of 100,000 rows, so counting further tells nothing. */
const MAX_COUNTED_ROWS = 100_000;
const COUNT_PAGE_ROWS = 1000;

/** As on Convex they are there before their first row is. */
const SYSTEM_TABLES: readonly string[] = [FILE_TABLE, SCHEDULED_FUNCTIONS];

function knownTable(read: SystemReader, componentPath: string, name: string): string {
  const tables = read.tables(componentPath);
  if (SYSTEM_TABLES.includes(name)) return name;
  if (tables.includes(name)) return name;
  throw new FunctionError(
    `Table "${name}" is unknown here. Known: ${[...tables].sort().join(", ") || "none"}.`,
  );
}

export const tables: SystemQuery = (read, _argsJson, componentPath) => {
  const names = read.tables(componentPath).filter((name) => !name.startsWith("_"));
  return JSON.stringify({
    page: names.map((name) => ({ name })),
    isDone: true,
    continueCursor: "end",
  });
};

export const tableData: SystemQuery = (read, argsJson, componentPath) => {
  const args = parseSystemArgs(argsJson);
  const table = knownTable(read, componentPath, readText(args, "table"));
  const { cursor, limit } = readPageRequest(args);
  const { page, isDone, continueCursor } = read.page(componentPath, table, {
    cursor,
    limit,
    order: args["order"] === "asc" ? "asc" : "desc",
  });
  return `{"page":[${page.join(",")}],"isDone":${isDone},"continueCursor":${JSON.stringify(continueCursor)}}`;
};

/** Watched by `npx convex dev` after a push that rows of a table refused: it tries again when the table changes. */
export const queryTable: SystemQuery = (read, argsJson, componentPath) => {
  const name = readText(parseSystemArgs(argsJson), "tableName");
  if (!read.tables(componentPath).includes(name)) return "null";
  const newest = read.page(componentPath, name, {
    cursor: null,
    limit: COUNT_PAGE_ROWS,
    order: "desc",
  });
  return `[${newest.page.join(",")}]`;
};

export const tableSize: SystemQuery = (read, argsJson, componentPath) => {
  const name = readText(parseSystemArgs(argsJson), "tableName");
  if (!read.tables(componentPath).includes(name)) return "0";
  let rows = 0;
  let cursor: string | null = null;
  while (rows < MAX_COUNTED_ROWS) {
    const page = read.page(componentPath, name, { cursor, limit: COUNT_PAGE_ROWS, order: "asc" });
    rows += page.page.length;
    if (page.isDone) break;
    cursor = page.continueCursor;
  }
  return String(rows);
};
