/** Owns: how a timestamp (epoch nanoseconds) travels: eight bytes, little-endian, in base64. */
import { refuse } from "./fields.ts";

export function encodeTimestamp(ts: bigint): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(ts);
  return bytes.toString("base64");
}

export function parseTimestamp(field: string, value: unknown): bigint {
  if (typeof value !== "string") return refuse(field, value, "a timestamp in base64");
  const bytes = Buffer.from(value, "base64");
  if (bytes.length !== 8) return refuse(field, value, "eight bytes in base64");
  return bytes.readBigUInt64LE();
}
