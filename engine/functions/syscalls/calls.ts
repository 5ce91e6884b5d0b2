/**
 * Owns: functions that call functions: nested queries and mutations inside one transaction, function handles, and
 * the calls of actions.
 * Not: starting a transaction (application/).
 */
import type { ActionResult, MutationResult, QueryResult } from "../../application.ts";
import { FunctionError } from "../../errors.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import type { Amounts } from "../../transactions/usage.ts";
import type { JSONValue } from "../../values/kinds.ts";
import type { EngineParts } from "../engine-parts.ts";
import { Execution } from "../execution.ts";
import { NestedCallError, describeFailure } from "../failures.ts";
import { handleOf, resolveAddress } from "../function-address.ts";
import type { FunctionAddress } from "../function-address.ts";
import { invoke } from "../invoke.ts";
import type { RegisteredFunction } from "../registered-function.ts";
import { syscall } from "./syscall.ts";
import type { Syscalls } from "./syscall.ts";

type CallArgs = FunctionAddress & { readonly args: JSONValue };
type NestedArgs = CallArgs & {
  readonly udfType: "query" | "mutation" | "snapshotQuery";
  readonly transactionLimits?: Partial<Amounts>;
};

export const calls: Syscalls = {
  "1.0/createFunctionHandle": syscall<FunctionAddress>((execution, address, engine) =>
    handleOf(resolveAddress(execution.instance, address, engine.deployment())),
  ),

  "1.0/runUdf": async (execution, argsJson, engine) => {
    const args = JSON.parse(argsJson) as NestedArgs;
    const transaction = execution.requireTransaction();
    const registered = resolveAddress(execution.instance, args, engine.deployment());
    const wanted = args.udfType === "mutation" ? "mutation" : "query";
    if (registered.kind !== wanted) throw wrongKind(registered, wanted);
    if (wanted === "mutation") execution.requireMutation();
    const view = args.udfType === "snapshotQuery" ? transaction.base() : transaction;
    return runNested({ execution, registered, view, args, engine });
  },
};

type NestedCall = {
  readonly execution: Execution;
  readonly registered: RegisteredFunction;
  readonly view: Transaction;
  readonly args: NestedArgs;
  readonly engine: EngineParts;
};

/** A mutation that fails takes back its own writes and leaves its caller's. */
async function runNested({
  execution,
  registered,
  view,
  args,
  engine,
}: NestedCall): Promise<string> {
  const isSameComponent = registered.instance === execution.instance;
  const child = new Execution({
    kind: registered.kind,
    instance: registered.instance,
    functionPath: registered.path,
    identity: isSameComponent ? execution.identity : null,
    tree: execution.tree,
    transaction: view,
    parent: execution,
    nextRandom: execution.nextRandom,
  });
  const savepoint = view.savepoint();
  view.usage.enter(args.transactionLimits);
  try {
    const result = await invoke(child, registered, JSON.stringify(args.args), engine.clock);
    view.usage.leave("committed");
    return result;
  } catch (error) {
    view.rollback(savepoint);
    view.usage.leave("rolled-back");
    throw new NestedCallError(describeFailure(error, engine.stacks()));
  }
}

type Result = QueryResult | MutationResult | ActionResult;

export const callsFromActions: Syscalls = {
  "1.0/createFunctionHandle": calls["1.0/createFunctionHandle"] ?? refuse,
  "1.0/actions/query": callFromAction("query"),
  "1.0/actions/mutation": callFromAction("mutation"),
  "1.0/actions/action": callFromAction("action"),
};

function callFromAction(kind: "query" | "mutation" | "action"): Syscalls[string] {
  return async (execution, argsJson, engine) => {
    const args = JSON.parse(argsJson) as CallArgs;
    const registered = resolveAddress(execution.instance, args, engine.deployment());
    if (registered.kind !== kind) throw wrongKind(registered, kind);
    const { componentPath } = registered.instance;
    const result: Result = await engine.calls[kind]({
      target: { componentPath, path: registered.path },
      argsJson: JSON.stringify(args.args),
      identity: registered.instance === execution.instance ? execution.identity : null,
      tree: execution.tree,
    });
    if (result.ok) return result.value;
    throw new NestedCallError({ message: result.message, dataJson: result.data });
  };
}

function refuse(): never {
  throw new FunctionError("Function handles are missing.");
}

function wrongKind({ path, kind }: RegisteredFunction, wanted: string): FunctionError {
  return new FunctionError(
    `Trying to execute ${path} as ${wanted}, but it is defined as ${kind}. Use ctx.run${kind[0]?.toUpperCase()}${kind.slice(1)}.`,
  );
}
