/** Owns: how one call reads on the operator's terminal. Not: what the CLI prints (it gets entries and formats them). */
import type { FunctionLog } from "../application.ts";
import { readablePath } from "../function-path.ts";

const LETTERS = { query: "Q", mutation: "M", action: "A", httpAction: "H" } as const;

/** `17:03:12 M stats:heartbeat 3 ms`, then a line for each line that the function logged, then its error. */
export function callLines(log: FunctionLog): string[] {
  const time = new Date(log.at).toTimeString().slice(0, "hh:mm:ss".length);
  const component = log.target.componentPath === "" ? "" : `${log.target.componentPath}/`;
  const name = `${LETTERS[log.kind]} ${component}${readablePath(log.target.path)}`;
  const outcome = log.error === null ? "" : ` failed (request ${log.requestId})`;
  const lines = [
    `${time} ${name} ${Math.ceil(log.durationMs)} ms${log.cached ? " cached" : ""}${outcome}`,
  ];
  for (const line of log.logLines) lines.push(`  [${line.level}] ${line.messages.join(" ")}`);
  if (log.error !== null)
    lines.push(
      ...log.error
        .trimEnd()
        .split("\n")
        .map((line) => `  ${line}`),
    );
  return lines;
}
