/**
 * Owns: the one form in which a path is counted; what is one path here is one row in every report.
 * Not: which paths a site wants to count.
 *
 * The form: begins with "/", has no query, no hash and no slash at the end (but "/" itself), everything that can be
 * decoded is decoded. What must stay encoded stays so, with upper-case digits: "%25" (or decoding again would change
 * the path), "%2F", "%3F", "%23" (they would become structure), controls and characters that turn the direction of
 * text (they would deceive a reader), and bytes that are no UTF-8.
 */
import { MAX_PATH_LENGTH } from "./limits.ts";
import { cutAt, toWellFormed } from "./text.ts";

/** A percent sign of any kind, or a character that is only shown encoded. */
const NEEDS_CARE =
  /(?:%[0-9a-f]{2})+|%|[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/giu;

const STAYS_ENCODED = /^[%/?#\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]$/u;

/** One character of the form takes at most twelve encoded ("%F0%9F%98%80"); more input cannot matter. */
const MAX_INPUT_LENGTH = 12 * MAX_PATH_LENGTH;

/** Idempotent; never throws; at most MAX_PATH_LENGTH UTF-16 units, all well-formed. */
export function normalisePath(input: string): string {
  const end = input.search(/[?#]/);
  const pathname = (end === -1 ? input : input.slice(0, end)).slice(0, MAX_INPUT_LENGTH);
  const decoded = toWellFormed(pathname).replace(NEEDS_CARE, (found) =>
    found.length >= 3 ? decodeBytes(found) : encode(found),
  );
  const rooted = decoded.startsWith("/") ? decoded : `/${decoded}`;
  const clamped = cutAt(rooted, MAX_PATH_LENGTH).replace(/%[0-9A-F]?$/, "");
  return clamped.replace(/\/+$/, "") || "/";
}

function encode(character: string): string {
  return encodeURIComponent(character);
}

/** `run` is a run of %XX: decodes each whole UTF-8 character of it that may be decoded, and leaves the other bytes. */
function decodeBytes(run: string): string {
  let decoded = "";
  let at = 0;
  while (at < run.length) {
    const length = 3 * sequenceLength(run.slice(at + 1, at + 3));
    const sequence = run.slice(at, at + length);
    const character = decodeCharacter(sequence, length);
    if (character === null) {
      decoded += run.slice(at, at + 3).toUpperCase();
      at += 3;
    } else {
      decoded += STAYS_ENCODED.test(character) ? sequence.toUpperCase() : character;
      at += length;
    }
  }
  return decoded;
}

/** Bytes of the UTF-8 sequence that a byte begins. */
function sequenceLength(hex: string): number {
  const byte = Number.parseInt(hex, 16);
  if (byte < 0xc0) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

function decodeCharacter(sequence: string, length: number): string | null {
  if (sequence.length < length) return null;
  try {
    return decodeURIComponent(sequence);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
