/**
 * Owns: `db.vars.commitTs` as JSON text: finding the placeholder and putting the commit's timestamp in its place.
 * Not: how the placeholder sorts while the transaction runs (values/keys.ts).
 *
 * The text search is exact: inside of a string the quotes would be escaped, and no field name begins with "$".
 */
const PLACEHOLDER = '{"$commitTs":null}';

export function hasPlaceholder(json: string): boolean {
  return json.includes(PLACEHOLDER);
}

export function withCommitTs(json: string, commitTs: bigint): string {
  if (!hasPlaceholder(json)) return json;
  return json.replaceAll(PLACEHOLDER, int64Json(commitTs));
}

/** The JSON form of a Convex int64. */
export function int64Json(value: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return `{"$integer":"${bytes.toString("base64")}"}`;
}
