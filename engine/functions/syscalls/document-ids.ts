/**
 * Owns: from the id (and perhaps table) that user code names to the table that it means, with Convex's errors.
 * Not: reading or writing the document.
 */
import type { Table } from "../../catalog/tables.ts";
import { FunctionError } from "../../errors.ts";
import { tableNumberOfId } from "../../values/ids.ts";
import type { EngineParts } from "../engine-parts.ts";
import type { Execution } from "../execution.ts";

export type DocumentAddress = { readonly id: string; readonly table?: string };

/** Undefined for a well-formed id of no known table. */
export function tableOf(
  execution: Execution,
  { id, table: wanted }: DocumentAddress,
  { catalog }: EngineParts,
  method: string,
): Table | undefined {
  const table = catalog.tableOfId(execution.instance.componentPath, id);
  if (table === undefined && tableNumberOfId(id) === null) {
    throw new FunctionError(
      `Invalid argument \`id\` for \`db.${method}\`: Unable to decode ID: ${JSON.stringify(id)} is no document id.`,
    );
  }
  if (table !== undefined && wanted !== undefined && wanted !== table.name) {
    throw new FunctionError(
      `Invalid argument \`id\`, expected ID in table '${wanted}' but got ID in table '${table.name}'`,
    );
  }
  return table;
}
