/** Owns: ctx.meta and ctx.auth. Not: who the caller is (auth/) or what was counted (transactions/usage.ts). */
import { int64Json } from "../../catalog/commit-timestamps.ts";
import { FunctionError } from "../../errors.ts";
import { readablePath } from "../../function-path.ts";
import { syscall } from "./syscall.ts";
import type { SyscallAtOnce, Syscalls } from "./syscall.ts";

/** In queries, mutations and actions alike. */
export const meta: Syscalls = {
  "1.0/getUserIdentity": syscall(({ identity }) => identity),

  "1.0/getFunctionMetadata": syscall(({ functionPath, instance }) => ({
    name: readablePath(functionPath),
    componentPath: instance.componentPath,
  })),

  "1.0/getDeploymentMetadata": syscall(() => ({ name: "embedded", region: null, class: "s16" })),

  "1.0/getRequestMetadata": syscall(({ kind, tree }) => {
    if (kind === "query") {
      throw new FunctionError(
        "getRequestMetadata() can only be called from a mutation, action or HTTP action. It is not available in queries.",
      );
    }
    const { ip, userAgent, requestId } = tree.request;
    const { scheduledFunctionId, authToken } = tree;
    return { ip, userAgent, requestId, scheduledFunctionId, authToken };
  }),
};

export const transactionMeta: Syscalls = {
  "1.0/getTransactionMetrics": syscall((execution) =>
    execution.requireTransaction().usage.metrics(),
  ),
};

export const transactionMetaAtOnce: Readonly<Record<string, SyscallAtOnce>> = {
  "1.0/getSnapshotTs": (execution) => int64Json(execution.requireTransaction().snapshotTs),
};
