/**
 * Owns: what `npm start` and `npm run dev` take on the command line.
 * Not: what they do with it.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";

export type Options = {
  readonly dataFolder: string;
  readonly host: string;
  /** Null: the first free one from DEFAULT_PORT on. */
  readonly port: number | null;
  readonly help: boolean;
};

/** Where the CLI and people look for a Convex backend on their own machine. */
export const DEFAULT_PORT = 3210;
const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_DATA_FOLDER = ".footfall";
const LARGEST_PORT = 65_535;

/** The command line is at fault; the message says how. */
export class BadOptions extends Error {}

export function parseOptions(args: readonly string[], from: string): Options {
  const { port, data, host, help } = parse(args);
  return {
    dataFolder: resolve(from, data ?? DEFAULT_DATA_FOLDER),
    host: host ?? DEFAULT_HOST,
    port: port === undefined ? null : parsePort(port),
    help: help ?? false,
  };
}

function parse(args: readonly string[]) {
  try {
    const string = { type: "string" } as const;
    const options = {
      port: string,
      data: string,
      host: string,
      help: { type: "boolean", short: "h" },
    } as const;
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch (error) {
    if (!(
      error instanceof Error &&
      "code" in error &&
      String(error.code).startsWith("ERR_PARSE_ARGS")
    ))
      throw error;
    throw new BadOptions(
      `${error.message.split(". ")[0]}. Known: --port N, --data DIR, --host H, --help.`,
    );
  }
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= LARGEST_PORT) return port;
  throw new BadOptions(
    `--port takes a whole number from 0 (any free one) to ${LARGEST_PORT}, not "${text}".`,
  );
}

/** The options of this process; or, after it has printed what there is to say, the code to exit with. */
export function optionsOrExitCode(command: string, purpose: string): Options | number {
  try {
    const options = parseOptions(process.argv.slice(2), process.cwd());
    if (!options.help) return options;
    console.log(usage(command, purpose));
    return 0;
  } catch (error) {
    if (!(error instanceof BadOptions)) throw error;
    console.error(error.message);
    return 1;
  }
}

function usage(command: string, purpose: string): string {
  return `${purpose}

  ${command} [-- --port N] [--data DIR] [--host H]

  --port N    answer on this port (default: the first free one from ${DEFAULT_PORT} on)
  --data DIR  keep the data in this folder (default: ${DEFAULT_DATA_FOLDER}/)
  --host H    answer on this address (default: ${DEFAULT_HOST}, this machine only)
  --help      show this text`;
}
