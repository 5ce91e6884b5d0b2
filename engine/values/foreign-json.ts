/**
 * Owns: reading JSON that somebody else wrote, with a bound on its nesting.
 * Not: what it has to hold.
 *
 * `JSON.parse` takes any depth, but everything after it that walks a value is recursive and runs out of stack: a text
 * of some kilobytes would look like a failure of the engine.
 */
import { MAX_JSON_DEPTH } from "../limits.ts";

/** Throws a SyntaxError for what is no JSON, and for what is nested deeper than MAX_JSON_DEPTH. */
export function parseForeignJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isDeeperThan(value, MAX_JSON_DEPTH))
    throw new SyntaxError(`The JSON is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  return value;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const inside: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inside.some((inner) => isDeeperThan(inner, levels - 1));
}
