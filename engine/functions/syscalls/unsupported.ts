/**
 * Owns: the features of Convex that the embedded engine does not have, each with one sentence that names the feature
 * and the way out.
 * Not: features that do not exist anywhere.
 */
import { FunctionError } from "../../errors.ts";

const FEATURES: readonly (readonly [operations: RegExp, feature: string, instead: string])[] = [
  [/vectorSearch$/, "Vector search (ctx.vectorSearch)", "Use an index"],
  [/^1\.0\/auditLog$/, "The audit log", "Use console.log"],
  [
    /^1\.0\/(signJwt|getDeploymentJwks)$/,
    "Signing tokens (ctx.auth.signJwt)",
    "Sign in an action with a library",
  ],
  [
    /^1\.0\/(createServiceToken|getServiceUrl)$/,
    "A Convex-managed service",
    "Call your own service from an action",
  ],
];

/** What to throw for an operation that is in no table of syscalls. */
export function unknownOperation(operation: string): FunctionError {
  const known = FEATURES.find(([operations]) => operations.test(operation));
  if (known === undefined) return new FunctionError(`Unknown async operation ${operation}`);
  const [, feature, instead] = known;
  return new FunctionError(
    `${feature} is not supported by the embedded engine. ${instead}, or move to Convex with \`npx convex deploy\`.`,
  );
}
