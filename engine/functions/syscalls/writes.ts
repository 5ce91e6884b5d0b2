/** Owns: ctx.db.insert, patch, replace, delete. Not: indexes and limits (catalog/documents.ts). */
import { assertWritable } from "../../catalog/documents.ts";
import type { Document, Table } from "../../catalog/tables.ts";
import { FunctionError } from "../../errors.ts";
import { kindOf } from "../../values/kinds.ts";
import type { JSONObject, JSONValue } from "../../values/kinds.ts";
import type { EngineParts } from "../engine-parts.ts";
import type { Execution } from "../execution.ts";
import { tableOf } from "./document-ids.ts";
import type { DocumentAddress } from "./document-ids.ts";
import { syscall } from "./syscall.ts";
import type { Syscalls } from "./syscall.ts";

type InsertArgs = { readonly table: string; readonly value: JSONObject };
type UpdateArgs = DocumentAddress & { readonly value: JSONObject };

export const writes: Syscalls = {
  "1.0/insert": syscall<InsertArgs>((execution, { table: name, value }, engine) => {
    const transaction = execution.requireMutation();
    assertWritable(name);
    assertFields("insert", value);
    const { componentPath, schema } = execution.instance;
    const fields = withoutSystemFields(value);
    schema.check(name, fields);
    const table = engine.catalog.ensure(transaction, componentPath, name);
    return { _id: engine.documents.insert(transaction, table, fields) };
  }),

  "1.0/shallowMerge": syscall<UpdateArgs>((execution, args, engine) => {
    assertFields("patch", args.value);
    const { table, document } = existing(execution, args, engine, "patch");
    const { _id: _, _creationTime: __, ...fields } = document;
    for (const [name, value] of Object.entries(systemFieldsChecked(args.value, document))) {
      if (isUndefined(value)) delete fields[name];
      else fields[name] = value;
    }
    update(execution, table, document, fields, engine);
    return {};
  }),

  "1.0/replace": syscall<UpdateArgs>((execution, args, engine) => {
    assertFields("replace", args.value);
    const { table, document } = existing(execution, args, engine, "replace");
    update(execution, table, document, systemFieldsChecked(args.value, document), engine);
    return {};
  }),

  "1.0/remove": syscall<DocumentAddress>((execution, args, engine) => {
    const { table, document } = existing(execution, args, engine, "delete");
    engine.documents.remove(execution.requireMutation(), table, document);
    return {};
  }),
};

/** JavaScript without types hands over anything. */
function assertFields(method: string, value: JSONValue): void {
  const kind = kindOf(value);
  if (kind === "object") return;
  throw new FunctionError(`\`db.${method}\` takes an object of fields, got ${kind}.`);
}

const MISSING = {
  patch: "Update on nonexistent document ID",
  replace: "Replace on nonexistent document ID",
  delete: "Delete on nonexistent document ID",
} as const;

function existing(
  execution: Execution,
  args: DocumentAddress,
  engine: EngineParts,
  method: keyof typeof MISSING,
): { table: Table; document: Document } {
  const transaction = execution.requireMutation();
  const table = tableOf(execution, args, engine, method);
  if (table !== undefined) assertWritable(table.name);
  const document = table && engine.documents.read(transaction, table, args.id);
  if (table === undefined || document === undefined) {
    throw new FunctionError(`${MISSING[method]} ${args.id}`);
  }
  return { table, document };
}

function update(
  execution: Execution,
  table: Table,
  document: Document,
  fields: JSONObject,
  { documents }: EngineParts,
): void {
  execution.instance.schema.check(table.name, fields);
  documents.replace(execution.requireMutation(), table, document, fields);
}

function withoutSystemFields({ _id: _, _creationTime: __, ...fields }: JSONObject): JSONObject {
  return fields;
}

/** They may be given as they are, so that a document that was read can be written back. */
function systemFieldsChecked(value: JSONObject, document: Document): JSONObject {
  for (const name of ["_id", "_creationTime"] as const) {
    const given = value[name];
    if (given === undefined || given === document[name]) continue;
    throw new FunctionError(
      `Provided \`${name}\` field value ${JSON.stringify(given)} does not match the document's ${JSON.stringify(document[name])}`,
    );
  }
  return withoutSystemFields(value);
}

/** How `patch` says that a field is to go away. */
function isUndefined(value: JSONValue | undefined): boolean {
  if (value === undefined) return true;
  return value !== null && typeof value === "object" && Object.hasOwn(value, "$undefined");
}
