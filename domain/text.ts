/**
 * Owns: making a string from outside safe to store and show: well-formed, without control characters, clamped.
 * Not: paths, which have rules of their own (path.ts).
 */

/** Half of a surrogate pair alone: no Unicode text, and Convex cannot store it. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** C0 and C1 controls, and line and paragraph separators. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** The text with U+FFFD in the place of each lone surrogate. */
export function toWellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, "\uFFFD");
}

/** The first `maxLength` UTF-16 units of a well-formed text, one fewer where the cut would halve a character. */
export function cutAt(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  const halves = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, halves ? maxLength - 1 : maxLength);
}

/** One line of text: well-formed, runs of control characters as one space, trimmed, clamped to `maxLength` UTF-16 units. */
export function clampLine(text: string, maxLength: number): string {
  // Twice the clamp leaves room for what trimming takes, and bounds the work on a huge input.
  const head = toWellFormed(text.trimStart().slice(0, 2 * maxLength));
  return cutAt(head.replace(CONTROL_CHARACTERS, " ").trim(), maxLength).trimEnd();
}
