/** Owns: from the description of a random schema to the schema. Both runtimes run this file. Not: which one (history.ts). */
import { defineSchema, defineTable } from "convex/server";
import type { GenericDataModel } from "convex/server";
import { v } from "convex/values";

export type AnyModel = GenericDataModel;

/** `a` has one of these; `b` and `c` take anything. */
export const KINDS_OF_A = {
  anything: v.any(),
  number: v.number(),
  optionalText: v.optional(v.string()),
  int64OrNull: v.union(v.int64(), v.null()),
  numbers: v.array(v.number()),
} as const;

export type TableSpec = {
  readonly name: string;
  readonly a: keyof typeof KINDS_OF_A;
  /** The fields of each index. */
  readonly indexes: readonly (readonly string[])[];
};

export const indexName = (fields: readonly string[]): string =>
  `by_${fields.join("_").replaceAll(".", "_")}`;

export function schemaOf(tables: readonly TableSpec[]) {
  return defineSchema(
    Object.fromEntries(
      tables.map((spec) => {
        const table = defineTable({
          n: v.number(),
          at: v.commitTs(),
          a: KINDS_OF_A[spec.a],
          b: v.optional(v.any()),
          c: v.optional(v.any()),
        })
          .index("by_n", ["n"])
          .index("by_at", ["at"]);
        // Its type knows the fields only where the index is written down.
        const open = table as object as { index(name: string, fields: readonly string[]): void };
        for (const fields of spec.indexes) open.index(indexName(fields), [...fields]);
        return [spec.name, table];
      }),
    ),
  );
}
