/** Owns: which texts can be a file's content type. Not: what a browser does with it (server/file-headers.ts). */
import { FunctionError } from "../errors.ts";

/** A type, a subtype, and parameters of printable ASCII: what a header carries. */
const CONTENT_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+*-]+(?:\s*;[\x20-\x7e]*)?$/;
const MAX_CONTENT_TYPE_LENGTH = 255;

export function isContentType(text: string): boolean {
  return text.length <= MAX_CONTENT_TYPE_LENGTH && CONTENT_TYPE.test(text);
}

/** What code gives; nothing, or an empty text, is none. */
export function parseContentType(given: unknown): string | null {
  if (given === undefined || given === null || given === "") return null;
  if (typeof given === "string" && isContentType(given)) return given;
  throw new FunctionError(
    `A file's content type is a text like "image/png"; got ${JSON.stringify(given)}.`,
  );
}
