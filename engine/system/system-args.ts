/** Owns: reading the arguments of a system query. A system query's caller is the CLI or the dashboard. */
import { FunctionError } from "../errors.ts";

export type SystemArgs = Readonly<Record<string, unknown>>;

export function parseSystemArgs(argsJson: string): SystemArgs {
  const args: unknown = JSON.parse(argsJson);
  if (typeof args === "object" && args !== null && !Array.isArray(args)) return { ...args };
  throw new FunctionError("The arguments of a system query must be an object.");
}

export function readText(args: SystemArgs, name: string): string {
  const value = args[name];
  if (typeof value === "string") return value;
  throw new FunctionError(`Argument "${name}" must be a string.`);
}

export type PageRequest = { readonly cursor: string | null; readonly limit: number };

/** The CLI asks for ten thousand rows where it wants all; a page here is smaller, and the CLI goes on from its cursor. */
const MAX_PAGE_ROWS = 1000;

export function readPageRequest(args: SystemArgs): PageRequest {
  const options = args["paginationOpts"];
  if (typeof options !== "object" || options === null)
    throw new FunctionError('Argument "paginationOpts" is missing.');
  const cursor: unknown = "cursor" in options ? options.cursor : null;
  const numItems: unknown = "numItems" in options ? options.numItems : MAX_PAGE_ROWS;
  if (cursor !== null && typeof cursor !== "string")
    throw new FunctionError("The cursor must be a string or null.");
  if (typeof numItems !== "number" || !(numItems >= 1))
    throw new FunctionError("numItems must be 1 or more.");
  return { cursor, limit: Math.min(Math.floor(numItems), MAX_PAGE_ROWS) };
}
