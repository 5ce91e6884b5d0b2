/** Owns: the shape of a line that user code logs. Not: capturing it (user-console.ts), who shows it (logs/, sync/). */

export type LogLevel = "DEBUG" | "INFO" | "WARN" | "ERROR" | "LOG";

/** `messages` are the arguments of one console call, each already rendered; `at` is epoch ms. */
export type LogLine = {
  readonly level: LogLevel;
  readonly messages: readonly string[];
  readonly at: number;
  readonly isTruncated: boolean;
};
