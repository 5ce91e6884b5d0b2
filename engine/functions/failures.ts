/**
 * Owns: how an error that ended a user function is told to the caller: Convex's wording, a stack of the user's own
 * files, the data of a ConvexError; and how it crosses into the function that called it.
 * Not: which errors there are.
 */
import { DeployError, FunctionError, StorageError } from "../errors.ts";
import type { StackMapper } from "./stack-mapper.ts";

/** `dataJson` is the JSON text of a ConvexError's data. */
export type Failure = { readonly message: string; readonly dataJson: string | null };

const CONVEX_ERROR = Symbol.for("ConvexError");
const MAX_FRAMES = 10;

/** An error of the engine itself, about which the caller can do nothing but try again. */
export function isInternal(error: unknown): boolean {
  return error instanceof StorageError || error instanceof DeployError;
}

/** Never throws: whatever a function throws must end as a failure of its own. */
export function describeFailure(error: unknown, stacks: readonly StackMapper[]): Failure {
  try {
    return describe(error, stacks);
  } catch {
    // A getter of the thrown object threw, which says nothing about the failure.
    return { message: "Uncaught error that cannot be shown: reading it throws", dataJson: null };
  }
}

function describe(error: unknown, stacks: readonly StackMapper[]): Failure {
  if (error instanceof FunctionError) {
    return { message: error.message, dataJson: error.dataJson };
  }
  if (!(error instanceof Error)) {
    return { message: `Uncaught ${String(error)}`, dataJson: null };
  }
  const dataJson = convexErrorData(error);
  return { message: `Uncaught ${headline(error)}${userStack(error, stacks)}`, dataJson };
}

/** What a nested call rejects with: npm's `convex` reads `message` and, for a ConvexError, `data`. */
export class NestedCallError extends Error {
  readonly data: unknown;

  constructor({ message, dataJson }: Failure) {
    super(message);
    this.name = "NestedCallError";
    this.data = dataJson === null ? undefined : (JSON.parse(dataJson) as unknown);
  }
}

/** npm's `convex` turns the data into JSON text when a handler throws. */
function convexErrorData(error: Error): string | null {
  if (!(CONVEX_ERROR in error) || !("data" in error)) return null;
  return typeof error.data === "string" ? error.data : null;
}

function headline(error: Error): string {
  const name = error.name === "" ? "Error" : error.name;
  return error.message === "" ? name : `${name}: ${error.message}`;
}

function userStack(error: Error, stacks: readonly StackMapper[]): string {
  const frames: string[] = [];
  for (const line of (error.stack ?? "").split("\n")) {
    const frame = stacks.map((stack) => stack.frame(line)).find((found) => found !== null);
    if (frame !== undefined && frame !== null) frames.push(`\n    at ${frame}`);
  }
  return frames.slice(0, MAX_FRAMES).join("");
}
