/**
 * Owns: the form of a dimension's value: one clean line, clamped.
 * Not: paths of the site itself, which may be longer (path.ts).
 */
import { clampLine } from "../text.ts";

/** UTF-16 units. Longer than any name in a report; a packed roll-up holds thousands of them. */
export const MAX_VALUE_LENGTH = 128;

/** Well-formed, on one line, trimmed, at most MAX_VALUE_LENGTH units and never half a character. */
export function dimensionValue(text: string): string {
  return clampLine(text, MAX_VALUE_LENGTH);
}
