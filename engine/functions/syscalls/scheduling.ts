/** Owns: ctx.scheduler in mutations and in actions. Not: the rows (job-store.ts), running jobs (scheduler/). */
import { FunctionError } from "../../errors.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import type { JSONValue } from "../../values/kinds.ts";
import { hasPlaceholder } from "../../catalog/commit-timestamps.ts";
import type { EngineParts } from "../engine-parts.ts";
import type { Execution } from "../execution.ts";
import { resolveAddress } from "../function-address.ts";
import type { FunctionAddress } from "../function-address.ts";
import { syscall } from "./syscall.ts";
import type { Syscalls } from "./syscall.ts";

/** `ts` is epoch seconds. */
type ScheduleArgs = FunctionAddress & { readonly ts: number; readonly args: JSONValue };
type CancelArgs = { readonly id: string };

export const scheduling: Syscalls = {
  "1.0/schedule": syscall<ScheduleArgs>((execution, args, engine) =>
    schedule(execution.requireMutation(), execution, args, engine),
  ),
  "1.0/cancel_job": syscall<CancelArgs>((execution, { id }, { jobs }) => {
    jobs.cancel(execution.requireMutation(), execution.instance.componentPath, id);
    return {};
  }),
};

export const schedulingFromActions: Syscalls = {
  "1.0/actions/schedule": syscall<ScheduleArgs>((execution, args, engine) =>
    engine.commits.transact((transaction) => schedule(transaction, execution, args, engine)),
  ),
  "1.0/actions/cancel_job": syscall<CancelArgs>((execution, { id }, engine) =>
    engine.commits.transact((transaction) => {
      engine.jobs.cancel(transaction, execution.instance.componentPath, id);
      return {};
    }),
  ),
};

function schedule(
  transaction: Transaction,
  execution: Execution,
  { ts, args, ...address }: ScheduleArgs,
  engine: EngineParts,
): string {
  const { instance, path, kind } = resolveAddress(execution.instance, address, engine.deployment());
  if (kind === "query") {
    throw new FunctionError(`${path} is a query; only mutations and actions can be scheduled.`);
  }
  if (hasPlaceholder(JSON.stringify(args))) {
    throw new FunctionError(
      `Invalid arguments for "${path}": a scheduled function cannot take an unresolved placeholder value.`,
    );
  }
  const target = { componentPath: instance.componentPath, path };
  const dueAt = ts * 1000;
  return engine.jobs.schedule(transaction, execution.instance.componentPath, {
    target,
    args,
    dueAt,
  });
}
