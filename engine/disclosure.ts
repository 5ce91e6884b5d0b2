/**
 * Owns: what of a call's outcome its caller may see. One rule for the websocket and for HTTP.
 * Not: what the operator sees (logs/), which is everything.
 *
 * As on Convex: in production a visitor learns that a call failed and under which request id, and gets the data
 * of a ConvexError, which the app meant for them. Messages, stacks and log lines are for admins and developers.
 */
import type { Caller, FunctionFailure } from "./application.ts";
import type { LogLine } from "./functions/console.ts";

export type Disclosure = "production" | "development";

export function seesEverything(caller: Caller, disclosure: Disclosure): boolean {
  return caller.kind === "admin" || disclosure === "development";
}

/** The wording that Convex's clients show: the request id finds the call in the operator's log. */
export function errorMessageFor(
  failure: FunctionFailure,
  caller: Caller,
  disclosure: Disclosure,
): string {
  const head = `[Request ID: ${failure.requestId}] Server Error`;
  return seesEverything(caller, disclosure) ? `${head}\n${failure.message}\n` : head;
}

/** `[LOG] 'a' 1`, the form that the browser clients parse. */
export function logLinesFor(
  lines: readonly LogLine[],
  caller: Caller,
  disclosure: Disclosure,
): string[] {
  if (!seesEverything(caller, disclosure)) return [];
  return lines.map((line) => `[${line.level}] ${line.messages.join(" ")}`);
}
