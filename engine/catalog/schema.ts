/**
 * Owns: what the documents of a component must look like.
 * Not: which indexes a schema wants (index-builder.ts), checking the rows that are already there (schema-check.ts).
 */
import type { ValidatorJSON } from "convex/values";
import { FunctionError } from "../errors.ts";
import { compileValidator } from "../values/validators.ts";
import type { TableOf, Validate } from "../values/validators.ts";
import type { JSONObject } from "../values/kinds.ts";

export type IndexDefinition = {
  readonly indexDescriptor: string;
  readonly fields: readonly string[];
};
export type TableDefinition = {
  readonly tableName: string;
  readonly indexes: readonly IndexDefinition[];
  /** Indexes that defineTable().index(…, {staged: true}) asks for: built, but not to be queried yet. */
  readonly stagedDbIndexes?: readonly IndexDefinition[];
  readonly searchIndexes?: readonly unknown[] | null;
  readonly vectorIndexes?: readonly unknown[] | null;
  readonly documentType: ValidatorJSON;
};
/** What `defineSchema(…).export()` gives, parsed. */
export type SchemaJson = {
  readonly tables: readonly TableDefinition[];
  readonly schemaValidation: boolean;
};

export class Schema {
  readonly json: SchemaJson | null;
  readonly #validators = new Map<string, Validate>();

  constructor(json: SchemaJson | null, tableOf: TableOf) {
    this.json = json;
    if (json === null || !json.schemaValidation) return;
    for (const { tableName, documentType } of json.tables) {
      this.#validators.set(tableName, compileValidator(documentType, tableOf));
    }
  }

  /** Null when the document fits; else why not. System fields are not part of the comparison. */
  mismatch(tableName: string, document: JSONObject): string | null {
    const validate = this.#validators.get(tableName);
    if (validate === undefined) return null;
    const { _id: _, _creationTime: __, ...fields } = document;
    return validate(fields);
  }

  check(tableName: string, document: JSONObject): void {
    const mismatch = this.mismatch(tableName, document);
    if (mismatch === null) return;
    throw new FunctionError(
      `Failed to insert or update a document in table "${tableName}" because it does not match the schema: ${mismatch}`,
    );
  }
}
