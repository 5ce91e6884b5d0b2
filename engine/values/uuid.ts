/** Owns: names of 128 random bits in the form of RFC 9562, version 4. Not: document ids (ids.ts). */

export const UUID_BYTES = 16;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function uuidOf(randomBytes: Uint8Array): string {
  const hex = Buffer.from(
    randomBytes.map((byte, i) => (i === 6 ? (byte & 15) | 64 : i === 8 ? (byte & 63) | 128 : byte)),
  ).toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
