/** Owns: the lines of a stream, and each as one row of a table. Not: which stream (import-source.ts). */
import { FunctionError } from "../errors.ts";
import { MAX_DOCUMENT_BYTES } from "../limits.ts";
import type { JSONObject } from "../values/kinds.ts";
import { fromUniform } from "./value-text.ts";

/** A document of the largest size, with room for JSON's escapes. */
const MAX_LINE_LENGTH = 8 * MAX_DOCUMENT_BYTES;

/** `where` is asked when the file turns out to be no text. */
export async function* textsOf(
  chunks: AsyncIterable<unknown>,
  where: () => string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw new FunctionError(`The file is not UTF-8, at ${where()} or soon after.`, { cause });
    }
  };
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new Error("A file came as text, not as bytes.");
    yield decoded(chunk);
  }
  yield decoded();
}

/** Each with its number, from 1. Empty lines are left out. */
export async function* linesOf(
  chunks: AsyncIterable<unknown>,
): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  let number = 1;
  let rest = "";
  for await (const part of textsOf(chunks, () => `row ${number}`)) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    assertRowLength(rest.length, number + lines.length);
    for (const text of lines) {
      if (text.trim() !== "") yield { number, text };
      number++;
    }
  }
  if (rest.trim() !== "") yield { number, text: rest };
}

export function assertRowLength(length: number, number: number): void {
  if (length > MAX_LINE_LENGTH)
    throw new FunctionError(`Row ${number} is longer than a document can be.`);
}

export async function* rowsOf(
  chunks: AsyncIterable<unknown>,
  form: "uniform" | "wire",
): AsyncGenerator<JSONObject> {
  for await (const { number, text } of linesOf(chunks)) {
    yield toRow(
      parsed(form === "uniform" ? fromUniform(text) : text, `Row ${number}`),
      `Row ${number}`,
    );
  }
}

export function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new FunctionError(`${what} wasn't valid JSON: ${String(cause)}`, { cause });
  }
}

export function toRow(value: unknown, what: string): JSONObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as JSONObject;
  throw new FunctionError(`${what} wasn't an object.`);
}
