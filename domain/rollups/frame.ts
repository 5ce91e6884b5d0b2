/**
 * Owns: the head that tells stored bytes of one kind from others, from damage and from a newer format.
 * Not: what follows it (codec.ts, engagement/codec.ts).
 */
import { RollupFormatError, checksum, damaged, newer } from "./bytes.ts";
import type { RollupUnit } from "./rollup.ts";

/** Stored bytes name a unit of time by its place: only append. */
export const UNITS: readonly RollupUnit[] = ["hour", "day", "month"];

/** Magic, version, checksum of the rest. */
const HEAD_BYTES = 6;

export type Frame = { magic: number; version: number };

export function withHead({ magic, version }: Frame, body: Uint8Array): ArrayBuffer {
  const bytes = new Uint8Array(HEAD_BYTES + body.length);
  bytes[0] = magic;
  bytes[1] = version;
  bytes.set(body, HEAD_BYTES);
  new DataView(bytes.buffer).setUint32(2, checksum(body));
  return bytes.buffer;
}

export function withoutHead({ magic, version }: Frame, bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== magic || bytes.length < HEAD_BYTES) {
    throw new RollupFormatError(`These ${bytes.length} bytes are no roll-up.`);
  }
  if (bytes[1] !== version) throw newer(`its format is ${bytes[1]}, and this one reads ${version}`);
  const body = bytes.subarray(HEAD_BYTES);
  const stored = new DataView(bytes.buffer, bytes.byteOffset).getUint32(2);
  if (stored !== checksum(body)) throw damaged("its checksum does not match");
  return body;
}
