/**
 * Owns: what `npm start` and `npm run dev` take on the command line.
 * Not: what they do with it.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseEngineOptions, StartError, type EngineOptions } from "../engine/index.ts";

export type Options = {
  readonly dataFolder: string;
  readonly host: string;
  /** Null: the first free one from DEFAULT_PORT on. */
  readonly port: number | null;
  /** What only the engine needs to know: the proxies in front of it, which calls it names as slow. */
  readonly engine: Partial<EngineOptions>;
  readonly help: boolean;
};

/** Handed on to the engine, which reads them. */
const ENGINE_OPTIONS = ["app-origin", "trusted-proxies", "slow-ms"] as const;

/** Where the CLI and people look for a Convex backend on their own machine. */
export const DEFAULT_PORT = 3210;
const DEFAULT_HOST = "127.0.0.1";
export const DEFAULT_DATA_FOLDER = ".footfall";
const LARGEST_PORT = 65_535;

/** The command line is at fault; the message says how. */
export class BadOptions extends Error {}

export function parseOptions(args: readonly string[], from: string): Options {
  const { port, data, host, help, ...given } = parse(args);
  return {
    dataFolder: resolve(from, data ?? DEFAULT_DATA_FOLDER),
    host: host ?? DEFAULT_HOST,
    port: port === undefined ? null : parsePort(port),
    engine: engineOptions(given),
    help: help ?? false,
  };
}

function engineOptions(
  given: Partial<Record<(typeof ENGINE_OPTIONS)[number], string>>,
): Partial<EngineOptions> {
  try {
    return parseEngineOptions(
      ENGINE_OPTIONS.flatMap((name) =>
        given[name] === undefined ? [] : [`--${name}`, given[name]],
      ),
    );
  } catch (error) {
    throw error instanceof StartError ? new BadOptions(error.message) : error;
  }
}

function parse(args: readonly string[]) {
  try {
    const string = { type: "string" } as const;
    const options = {
      port: string,
      data: string,
      host: string,
      "app-origin": string,
      "trusted-proxies": string,
      "slow-ms": string,
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
      `${error.message.split(". ")[0]}. Known: --port N, --data DIR, --host H, --app-origin URL, --trusted-proxies N, --slow-ms N, --help.`,
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

  ${command} [-- --port N] [--data DIR] [--host H] [--app-origin URL] [--trusted-proxies N] [--slow-ms N]

  --port N             answer on this port (default: the first free one from ${DEFAULT_PORT} on)
  --data DIR           keep the data in this folder (default: ${DEFAULT_DATA_FOLDER}/)
  --host H             answer on this address (default: ${DEFAULT_HOST}, this machine only)
  --app-origin URL     the public address behind a proxy, such as https://stats.example.com
  --trusted-proxies N  how many proxies in front add to X-Forwarded-For (default: 0, the header is not believed)
  --slow-ms N          name queries and mutations on the terminal that take this long; 0 names none
  --help               show this text`;
}
