/** Owns: what a failed query tells a reader. Not: the codes (convex/errors.ts). */
import { ConvexError } from "convex/values";
import { texts } from "./texts.ts";

export type Failure = { readonly message: string; readonly code: string };

function isFailureData(data: unknown): data is Failure {
  if (typeof data !== "object" || data === null) return false;
  return (
    "message" in data &&
    typeof data.message === "string" &&
    "code" in data &&
    typeof data.code === "string"
  );
}

/** The code and sentence of a coded error; of any other, its first line without stack. */
export function failureOf(error: Error): Failure {
  if (error instanceof ConvexError && isFailureData(error.data)) {
    return { message: error.data.message, code: error.data.code };
  }
  const firstLine = error.message.split("\n", 1)[0] ?? "";
  return { message: firstLine, code: texts.failed.unknownCode };
}
