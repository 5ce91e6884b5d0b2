/** Owns: which indexes a new schema adds to the running one and which it takes away. Not: doing it. */
import type { IndexChange, IndexDiff } from "../application.ts";
import type { SchemaJson } from "../catalog/schema.ts";

export function indexDiff(before: SchemaJson | null, after: SchemaJson | null): IndexDiff {
  const old = indexesOf(before);
  const next = indexesOf(after);
  return {
    added: [...next].filter(([key]) => !old.has(key)).map(([, change]) => change),
    removed: [...old].filter(([key]) => !next.has(key)).map(([, change]) => change),
  };
}

/** By name and fields: an index whose fields change is another one. */
function indexesOf(schema: SchemaJson | null): Map<string, IndexChange> {
  const indexes = new Map<string, IndexChange>();
  for (const { tableName, indexes: defined } of schema?.tables ?? []) {
    for (const { indexDescriptor, fields } of defined) {
      const name = `${tableName}.${indexDescriptor}`;
      indexes.set(JSON.stringify([name, fields]), { name, fields });
    }
  }
  return indexes;
}
