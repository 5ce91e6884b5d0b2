/**
 * Owns: what a syscall is: JSON in, JSON text out, on behalf of an execution.
 * Not: which there are (dispatch.ts).
 */
import type { EngineParts } from "../engine-parts.ts";
import type { Execution } from "../execution.ts";

export type Syscall = (
  execution: Execution,
  argsJson: string,
  engine: EngineParts,
) => string | Promise<string>;

/** Answered without a promise; so it must not depend on what an earlier syscall still does. */
export type SyscallAtOnce = (execution: Execution, argsJson: string, engine: EngineParts) => string;

/** Arguments and result are no JSON; a promise, handed to user code as it is. */
export type JsSyscall = (
  execution: Execution,
  args: unknown,
  engine: EngineParts,
) => Promise<unknown>;
export type JsSyscalls = Readonly<Record<string, JsSyscall>>;

export type Syscalls = Readonly<Record<string, Syscall>>;

/** `Args` is what npm's `convex` sends; user code that calls past it gets whatever error comes of it. */
export function syscall<Args>(
  run: (execution: Execution, args: Args, engine: EngineParts) => unknown,
): Syscall {
  return async (execution, argsJson, engine) =>
    JSON.stringify(await run(execution, JSON.parse(argsJson) as Args, engine));
}
