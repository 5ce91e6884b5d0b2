/** Owns: the lines of a stream, and each as one row of a table. Not: which stream (import-source.ts). */
import { FunctionError } from "../errors.ts";
import { MAX_DOCUMENT_BYTES } from "../limits.ts";
import type { JSONObject } from "../values/kinds.ts";
import { fromUniform } from "./value-text.ts";

/** A document of the largest size, with room for JSON's escapes. */
const MAX_LINE_LENGTH = 8 * MAX_DOCUMENT_BYTES;

/** Each with its number, from 1. Empty lines are left out. */
export async function* linesOf(
  chunks: AsyncIterable<unknown>,
): AsyncGenerator<{ readonly number: number; readonly text: string }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let number = 1;
  let rest = "";
  for await (const chunk of chunks) {
    if (!(chunk instanceof Uint8Array)) throw new Error("A file came as text, not as bytes.");
    const lines = (rest + decoded(decoder, chunk, number)).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_LENGTH)
      throw new FunctionError(`Row ${number + lines.length} is longer than a document can be.`);
    for (const text of lines) {
      if (text.trim() !== "") yield { number, text };
      number++;
    }
  }
  rest += decoder.decode();
  if (rest.trim() !== "") yield { number, text: rest };
}

function decoded(decoder: TextDecoder, chunk: Uint8Array, number: number): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new FunctionError(`The file is not UTF-8, at row ${number} or soon after.`, { cause });
  }
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
