/**
 * Owns: the `console` of user code: what it logs becomes lines of its call.
 * Not: showing them (logs/, sync/).
 */
import { inspect } from "node:util";
import type { Clock } from "../clock.ts";
import { MAX_LOG_LINE_BYTES, MAX_LOG_LINES } from "../limits.ts";
import type { LogLevel, LogLine } from "./console.ts";
import { currentExecution } from "./execution.ts";

const INSPECT_DEPTH = 4;

const LEVEL_OF_METHOD: Readonly<Record<string, LogLevel>> = {
  debug: "DEBUG",
  error: "ERROR",
  info: "INFO",
  log: "LOG",
  trace: "LOG",
  warn: "WARN",
  dir: "LOG",
  table: "LOG",
};

/** Lines of code that runs outside of a call, while its module is loaded, go nowhere, as on Convex. */
export function userConsole(clock: Clock): Record<string, (...values: unknown[]) => void> {
  const startedAt = new Map<string, number>();
  const write = (level: LogLevel, values: readonly unknown[]): void => {
    const lines = currentExecution()?.tree.logLines;
    if (lines !== undefined) append(lines, level, values, clock.now());
  };
  const elapsed = (label: string): string =>
    `${label}: ${clock.now() - (startedAt.get(label) ?? clock.now())}ms`;
  const methods = Object.entries(LEVEL_OF_METHOD).map(([method, level]) => [
    method,
    (...values: unknown[]) => write(level, values),
  ]);
  return {
    ...(Object.fromEntries(methods) as Record<string, (...values: unknown[]) => void>),
    assert(condition, ...values) {
      if (!condition) write("ERROR", ["Assertion failed", ...values]);
    },
    time(label = "default") {
      startedAt.set(String(label), clock.now());
    },
    timeLog(label = "default", ...values) {
      write("INFO", [elapsed(String(label)), ...values]);
    },
    timeEnd(label = "default") {
      write("INFO", [elapsed(String(label))]);
      startedAt.delete(String(label));
    },
    group: (...values) => write("LOG", values),
    groupCollapsed: (...values) => write("LOG", values),
    groupEnd() {},
    count() {},
    countReset() {},
    clear() {},
  };
}

function append(lines: LogLine[], level: LogLevel, values: readonly unknown[], at: number): void {
  if (lines.length > MAX_LOG_LINES) return;
  if (lines.length === MAX_LOG_LINES) {
    const message = `Log overflow (maximum ${MAX_LOG_LINES}). Remaining log lines omitted.`;
    lines.push({ level: "ERROR", messages: [message], at, isTruncated: true });
    return;
  }
  const messages = values.map(render);
  const isTruncated = messages.join(" ").length > MAX_LOG_LINE_BYTES;
  lines.push({ level, messages: isTruncated ? cut(messages) : messages, at, isTruncated });
}

function render(value: unknown): string {
  return inspect(value, { depth: INSPECT_DEPTH });
}

function cut(messages: readonly string[]): string[] {
  let room = MAX_LOG_LINE_BYTES;
  return messages.map((message) => {
    const kept = message.slice(0, Math.max(0, room));
    room -= kept.length;
    return kept;
  });
}
