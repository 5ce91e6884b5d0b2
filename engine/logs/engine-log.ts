/** Owns: what the engine says about itself, on the terminal. Not: what functions log (function-log.ts). */

export interface EngineLog {
  /** One sentence about the normal course of things. */
  note(sentence: string): void;
  /** Something that should not happen; the cause goes to the operator in full, never to a visitor. */
  problem(what: string, cause: unknown): void;
}

/** Notes go to stdout, problems with their stack to stderr. */
export const terminalLog: EngineLog = {
  note: (sentence) => process.stdout.write(`${sentence}\n`),
  problem: (what, cause) => {
    const detail = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    process.stderr.write(`${what}: ${detail}\n`);
  },
};

export const silentLog: EngineLog = { note: () => undefined, problem: () => undefined };
