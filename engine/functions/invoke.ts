/**
 * Owns: running one registered function: arguments and result checked, inside its execution, within its time.
 * Not: transactions (their owner commits or drops them), what becomes of a failure (failures.ts).
 */
import type { Clock } from "../clock.ts";
import { FunctionError } from "../errors.ts";
import { MAX_ACTION_MS, MAX_ARGS_BYTES, MAX_RESULT_BYTES } from "../limits.ts";
import type { JSONValue } from "../values/kinds.ts";
import { sizeOf } from "../values/sizes.ts";
import { runInside } from "./execution.ts";
import type { Execution } from "./execution.ts";
import type { RegisteredFunction } from "./registered-function.ts";

/**
 * A promise that never settles would hold up every other transaction. Convex allows one second of user code; this is
 * wall-clock time on a machine that may be busy, so it only ends what hangs.
 */
const HUNG_TRANSACTION_MS = 30_000;

/** Returns the result as JSON text; throws what the function threw. */
export async function invoke(
  execution: Execution,
  registered: RegisteredFunction,
  argsJson: string,
  clock: Clock,
): Promise<string> {
  const args = parseArgs(registered, argsJson);
  const requestId = execution.tree.request.requestId;
  try {
    const running = runInside(execution, () => registered.call(JSON.stringify([args]), requestId));
    const result = await withinTime(running, execution, clock);
    checkResult(registered, result);
    return result;
  } finally {
    execution.end();
  }
}

function parseArgs({ checkArgs, path }: RegisteredFunction, argsJson: string): JSONValue {
  const args = JSON.parse(argsJson) as JSONValue;
  if (argsJson.length > MAX_ARGS_BYTES && sizeOf(args) > MAX_ARGS_BYTES) {
    throw new FunctionError(
      `Arguments for ${path} are too large (${sizeOf(args)} bytes > maximum size ${MAX_ARGS_BYTES} bytes).`,
    );
  }
  const mismatch = checkArgs?.(args) ?? null;
  if (mismatch !== null) throw new FunctionError(`ArgumentValidationError: ${mismatch}`);
  return args;
}

function checkResult({ checkReturns, path }: RegisteredFunction, resultJson: string): void {
  const isLarge = resultJson.length > MAX_RESULT_BYTES;
  if (checkReturns === null && !isLarge) return;
  const result = JSON.parse(resultJson) as JSONValue;
  if (isLarge && sizeOf(result) > MAX_RESULT_BYTES) {
    throw new FunctionError(
      `Function ${path} return value is too large (${sizeOf(result)} bytes > maximum size ${MAX_RESULT_BYTES} bytes).`,
    );
  }
  const mismatch = checkReturns?.(result) ?? null;
  if (mismatch !== null) throw new FunctionError(`ReturnsValidationError: ${mismatch}`);
}

/** Only the outermost call of a transaction watches the time; nested ones are inside of it. */
function withinTime<T>(running: Promise<T>, execution: Execution, clock: Clock): Promise<T> {
  if (execution.parent !== null) return running;
  const limitMs = execution.transaction === null ? MAX_ACTION_MS : HUNG_TRANSACTION_MS;
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(() => {
      execution.end();
      reject(
        new FunctionError(
          `Function execution timed out (maximum duration ${limitMs / 1000}s): ${execution.functionPath} never finished.`,
        ),
      );
    }, limitMs);
    running.then(resolve, reject).finally(cancel);
  });
}
