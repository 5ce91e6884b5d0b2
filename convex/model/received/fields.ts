/**
 * Owns: reading the fields that somebody outside sent: of what kind each must be, and the sentence when it is not.
 * Not: what they mean (hits.ts), or what is clamped (arguments.ts).
 */
import { toWellFormed } from "../../../domain/text.ts";
import { callerError } from "../../errors.ts";

export type Fields = Record<string, unknown>;

/** The fields of a JSON object; null when the text is none. */
export function parseObject(text: string): Fields | null {
  const value = parseJson(text);
  return isObject(value) ? { ...value } : null;
}

export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Throws `invalid_beacon`, as the others do. */
export function requiredText(fields: Fields, name: string, wanted: string): string {
  const text = optionalText(fields, name);
  if (text !== undefined) return text;
  throw callerError("invalid_beacon", `"${name}" is missing; wanted ${wanted}.`);
}

export function optionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined) return value;
  if (typeof value === "string") return toWellFormed(value);
  throw callerError("invalid_beacon", `"${name}" is no text; leave it out or give a text.`);
}

/** An address has texts alone: there "1" and "true" are true. */
export function optionalFlag(fields: Fields, name: string): boolean | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === "boolean") return value;
  if (value === "1" || value === "true") return true;
  if (value === "0" || value === "false") return false;
  throw callerError(
    "invalid_beacon",
    `"${name}" is neither true nor false; leave it out or give one.`,
  );
}

export function optionalNumber(fields: Fields, name: string): number | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || (typeof value === "number" && !Number.isNaN(value))) return value;
  throw callerError("invalid_beacon", `"${name}" is no number; leave it out or give a number.`);
}

export function optionalObject(fields: Fields, name: string): Fields | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined) return undefined;
  if (isObject(value)) return { ...value };
  throw callerError("invalid_beacon", `"${name}" is no object; leave it out or give one.`);
}
