/**
 * Owns: the three functions through which user code reaches the engine, and which syscall each operation is.
 * Not: what a syscall does (one file a family).
 */
import { FunctionError } from "../../errors.ts";
import type { EngineParts } from "../engine-parts.ts";
import { currentExecution } from "../execution.ts";
import type { Execution } from "../execution.ts";
import { NestedCallError } from "../failures.ts";
import type { ConvexBridge } from "../runtime-globals.ts";
import { calls, callsFromActions } from "./calls.ts";
import { blobsFromActions, files, filesFromActions } from "./files.ts";
import { meta, transactionMeta, transactionMetaAtOnce } from "./meta.ts";
import { queries, queriesAtOnce } from "./queries.ts";
import { reads, readsAtOnce } from "./reads.ts";
import { scheduling, schedulingFromActions } from "./scheduling.ts";
import type { SyscallAtOnce, Syscalls } from "./syscall.ts";
import { unknownOperation } from "./unsupported.ts";
import { writes } from "./writes.ts";

const IN_TRANSACTIONS: Syscalls = {
  ...reads,
  ...writes,
  ...queries,
  ...calls,
  ...scheduling,
  ...files,
  ...meta,
  ...transactionMeta,
};
const IN_ACTIONS: Syscalls = {
  ...callsFromActions,
  ...schedulingFromActions,
  ...filesFromActions,
  ...meta,
};
const AT_ONCE: Readonly<Record<string, SyscallAtOnce>> = {
  ...readsAtOnce,
  ...queriesAtOnce,
  ...transactionMetaAtOnce,
};

export function convexBridge(engine: () => EngineParts): ConvexBridge {
  return {
    syscall(operation, argsJson) {
      const execution = runningExecution();
      return guarded(execution, () => {
        const syscall = AT_ONCE[operation];
        if (syscall === undefined) throw unknownOperation(operation);
        return syscall(execution, argsJson, engine());
      });
    },
    asyncSyscall(operation, argsJson) {
      return dispatch(runningExecution(), operation, argsJson, engine());
    },
    jsSyscall(operation, args) {
      const execution = runningExecution();
      const syscall = execution.transaction === null ? blobsFromActions[operation] : undefined;
      return guarded(execution, () => {
        if (syscall === undefined) throw unknownOperation(operation);
        return guardedAsync(execution, () => syscall(execution, args, engine()));
      });
    },
  };
}

async function dispatch(
  execution: Execution,
  operation: string,
  argsJson: string,
  engine: EngineParts,
): Promise<string> {
  const isAction = execution.transaction === null;
  const syscall = (isAction ? IN_ACTIONS : IN_TRANSACTIONS)[operation];
  if (syscall === undefined) throw unknownOperation(operation);
  if (isAction) return guardedAsync(execution, () => syscall(execution, argsJson, engine));
  return execution.inTurn(async () => {
    const pause = engine.executor.breathe();
    if (pause !== null) await pause;
    execution.assertRunning();
    return guardedAsync(execution, () => syscall(execution, argsJson, engine));
  });
}

function runningExecution(): Execution {
  const execution = currentExecution();
  if (execution === undefined) {
    throw new FunctionError(
      "ctx is used outside of a function, while a module is loaded. Move this into a function's handler.",
    );
  }
  execution.assertRunning();
  return execution;
}

/** A plain Error, whose stack shows where user code called; npm's `convex` does the same for promises. */
function guarded<T>(execution: Execution, work: () => T): T {
  try {
    return work();
  } catch (error) {
    remember(execution, error);
    throw new Error(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

async function guardedAsync<T>(execution: Execution, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    remember(execution, error);
    throw error;
  }
}

/** User code may catch an error of ours; it is remembered, so that the bug is reported all the same. */
function remember(execution: Execution, error: unknown): void {
  if (error instanceof FunctionError || error instanceof NestedCallError) return;
  execution.tree.internalErrors.push(error);
}
