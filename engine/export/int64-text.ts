/** Owns: an int64 in the JSON of a value, as the CLI reads it. Not: other values. */
export function int64Text(value: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return `{"$integer":"${bytes.toString("base64")}"}`;
}
