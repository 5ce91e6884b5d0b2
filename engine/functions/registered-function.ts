/**
 * Owns: one exported function of a module: its kind, who may call it, its validators, how it is invoked.
 * Not: the transaction and context that it runs in (invoke.ts).
 */
import type { ValidatorJSON } from "convex/values";
import type { FunctionKind } from "../application.ts";
import { compileValidator } from "../values/validators.ts";
import type { TableOf, Validate } from "../values/validators.ts";
import type { ComponentInstance } from "./component-instance.ts";

/** What query(), mutation() and action() of npm's `convex` return, as far as the backend uses it. */
export type ConvexExport = {
  readonly isQuery?: true;
  readonly isMutation?: true;
  readonly isAction?: true;
  readonly isPublic?: true;
  readonly exportArgs: () => string;
  readonly exportReturns: () => string;
  readonly invokeQuery?: (argsJson: string) => Promise<string>;
  readonly invokeMutation?: (argsJson: string) => Promise<string>;
  readonly invokeAction?: (requestId: string, argsJson: string) => Promise<string>;
};

export type RegisteredFunction = {
  readonly instance: ComponentInstance;
  /** Canonical. */
  readonly path: string;
  readonly kind: FunctionKind;
  readonly isPublic: boolean;
  /** JSON text, as the function exports it. */
  readonly argsValidator: string;
  readonly returnsValidator: string;
  /** Null: anything goes. */
  readonly checkArgs: Validate | null;
  readonly checkReturns: Validate | null;
  /** `argsJson` is the list of arguments, of which there is one. */
  readonly call: (argsJson: string, requestId: string) => Promise<string>;
};

export function kindOfExport(value: unknown): FunctionKind | null {
  if (typeof value !== "function") return null;
  if ("isQuery" in value) return "query";
  if ("isMutation" in value) return "mutation";
  return "isAction" in value ? "action" : null;
}

/** Undefined when the export is no Convex function. */
export function registerFunction(
  instance: ComponentInstance,
  path: string,
  value: unknown,
  tableOf: TableOf,
): RegisteredFunction | undefined {
  const kind = kindOfExport(value);
  if (kind === null) return undefined;
  const exported = value as ConvexExport;
  const argsValidator = exported.exportArgs();
  const returnsValidator = exported.exportReturns();
  return {
    instance,
    path,
    kind,
    isPublic: exported.isPublic === true,
    argsValidator,
    returnsValidator,
    checkArgs: compileUnlessAny(argsValidator, tableOf),
    checkReturns: compileUnlessAny(returnsValidator, tableOf),
    call: callerOf(kind, exported),
  };
}

function callerOf(kind: FunctionKind, exported: ConvexExport): RegisteredFunction["call"] {
  const missing = (): never => {
    throw new Error(`This ${kind} cannot be invoked: it was made by an unknown version of convex.`);
  };
  switch (kind) {
    case "query":
      return (argsJson) => (exported.invokeQuery ?? missing)(argsJson);
    case "mutation":
      return (argsJson) => (exported.invokeMutation ?? missing)(argsJson);
    case "action":
      return (argsJson, requestId) => (exported.invokeAction ?? missing)(requestId, argsJson);
  }
}

function compileUnlessAny(validatorJson: string, tableOf: TableOf): Validate | null {
  const validator = JSON.parse(validatorJson) as ValidatorJSON | null;
  return validator === null || validator.type === "any"
    ? null
    : compileValidator(validator, tableOf);
}
