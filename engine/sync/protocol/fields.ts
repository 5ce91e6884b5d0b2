/**
 * Owns: reading the fields of a message that arrived, with an error that says what, got and wanted.
 * Not: which fields a message has (one file a message).
 */

/** The other side broke the protocol. Retrying the same message cannot help. */
export class ProtocolError extends Error {
  override name = "ProtocolError";
}

export type Fields = Readonly<Record<string, unknown>>;

const MAX_SHOWN_CHARACTERS = 60;

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}

export function refuse(field: string, got: unknown, wanted: string): never {
  throw new ProtocolError(`Field "${field}" is ${shown(got)}, wanted ${wanted}.`);
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readString(fields: Fields, field: string, maxCharacters: number): string {
  const value = fields[field];
  if (typeof value !== "string") return refuse(field, value, "a string");
  if (value.length > maxCharacters) {
    return refuse(field, value, `at most ${maxCharacters} characters, not ${value.length}`);
  }
  return value;
}

export function readOptionalString(
  fields: Fields,
  field: string,
  maxCharacters: number,
): string | null {
  const value = fields[field];
  return value === undefined || value === null ? null : readString(fields, field, maxCharacters);
}

/** A version or an id: 0 … 2^32 − 1, as the protocol's integers are unsigned and 32 bits wide. */
export function readCount(fields: Fields, field: string): number {
  const value = fields[field];
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff)
    return value;
  return refuse(field, value, "a whole number from 0 to 2^32 − 1");
}

export function readList(fields: Fields, field: string, maxLength: number): readonly unknown[] {
  const value = fields[field];
  if (!Array.isArray(value)) return refuse(field, value, "a list");
  if (value.length > maxLength) refuse(field, `${value.length} entries`, `at most ${maxLength}`);
  return value;
}
