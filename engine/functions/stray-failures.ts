/**
 * Owns: what a user function leaves behind and then fails: a promise that nobody awaits, a timer of an action.
 * Not: failures of the function itself (failures.ts), nor of the engine, which end the process as ever.
 *
 * Node ends a process for either of them, and one forgotten `await` must not take the server from everybody else. The
 * execution that such work belongs to is known also long after it has ended, so nothing else is kept alive by this.
 */
import { currentExecution } from "./execution.ts";

/** Told which function it was. */
export type OnStrayFailure = (functionPath: string, error: unknown) => void;

/** Exit code of Node itself for what nobody caught. */
const UNCAUGHT = 1;

/** Listens on the process, until the returned function is called. */
export function catchStrayFailures(onStray: OnStrayFailure): () => void {
  const listen = (event: "unhandledRejection" | "uncaughtException") => {
    const listener = (error: unknown) => {
      const execution = currentExecution();
      if (execution !== undefined) onStray(execution.functionPath, error);
      else if (process.listenerCount(event) === 1) endProcess(error);
    };
    process.on(event, listener);
    return () => void process.off(event, listener);
  };
  const stops = [listen("unhandledRejection"), listen("uncaughtException")];
  return () => stops.forEach((stop) => stop());
}

/** As Node does when nobody listens. */
function endProcess(error: unknown): void {
  console.error(error);
  process.exit(UNCAUGHT);
}
