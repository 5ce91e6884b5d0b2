/** Owns: what can be chosen at the start, from the command line or by a caller. */
import { parseArgs } from "node:util";
import type { Disclosure } from "../disclosure.ts";
import { MAX_TRANSACTION_MS } from "../limits.ts";
import { StartError } from "./start-error.ts";

export type EngineOptions = {
  /** Folder of the database and the admin key; made when missing. */
  readonly dataFolder: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** HTTP actions alone, as on Convex; null takes the one after `port`, or a free one when that is in use. */
  readonly sitePort: number | null;
  readonly host: string;
  /** Folder of the built site, served on the same origin; null serves none. */
  readonly siteFolder: string | null;
  /** The public origin behind a proxy, as "https://example.com"; null: the address that is listened on. */
  readonly appOrigin: string | null;
  /** How many proxies in front append to X-Forwarded-For. */
  readonly trustedProxies: number;
  readonly disclosure: Disclosure;
  /** Whether each call prints a line. */
  readonly logCalls: boolean;
  /** A query or mutation that runs this long is named on the terminal; 0 names none. */
  readonly slowMs: number;
};

/** All others wait meanwhile; half of what Convex lets a transaction take. */
const SLOW_MS = MAX_TRANSACTION_MS / 2;

export const defaultOptions: EngineOptions = {
  dataFolder: "data",
  port: 3210,
  sitePort: null,
  host: "127.0.0.1",
  siteFolder: null,
  appOrigin: null,
  trustedProxies: 0,
  disclosure: "production",
  logCalls: false,
  slowMs: SLOW_MS,
};

export const USAGE =
  "node engine/server/start.ts [--port N] [--site-port N] [--data DIR] [--host H] [--site DIR] " +
  "[--app-origin URL] [--trusted-proxies N] [--dev] [--log-calls] [--slow-ms N]";

function readNumber(flag: string, value: string, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : NaN;
  if (number <= max) return number;
  throw new StartError(`${flag} is "${value}", wanted a whole number from 0 to ${max}.`);
}

function readOrigin(value: string): string {
  if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))
    return new URL(value).origin;
  throw new StartError(`--app-origin is "${value}", wanted an address like https://example.com.`);
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: text,
        "site-port": text,
        data: text,
        host: text,
        site: text,
        "app-origin": text,
        "trusted-proxies": text,
        dev: flag,
        "log-calls": flag,
        "slow-ms": text,
      },
    }).values;
  } catch (cause) {
    throw new StartError(
      `${cause instanceof Error ? cause.message : String(cause)}\nUsage: ${USAGE}`,
      { cause },
    );
  }
}

const MAX_PORT = 65_535;
/** As long as a call can take at all. */
const MAX_SLOW_MS = 600_000;
/** More hops than that is a mistake in the configuration. */
const MAX_PROXIES = 10;

/** Only what was given; the rest is `defaultOptions`. */
export function parseOptions(args: readonly string[]): Partial<EngineOptions> {
  const given = parse(args);
  const sitePort = given["site-port"];
  const proxies = given["trusted-proxies"];
  const slowMs = given["slow-ms"];
  return {
    ...(given.data === undefined ? {} : { dataFolder: given.data }),
    ...(given.port === undefined ? {} : { port: readNumber("--port", given.port, MAX_PORT) }),
    ...(sitePort === undefined ? {} : { sitePort: readNumber("--site-port", sitePort, MAX_PORT) }),
    ...(given.host === undefined ? {} : { host: given.host }),
    ...(given.site === undefined ? {} : { siteFolder: given.site }),
    ...(given["app-origin"] === undefined ? {} : { appOrigin: readOrigin(given["app-origin"]) }),
    ...(proxies === undefined
      ? {}
      : { trustedProxies: readNumber("--trusted-proxies", proxies, MAX_PROXIES) }),
    ...(given.dev === true ? { disclosure: "development" } : {}),
    ...(given["log-calls"] === true ? { logCalls: true } : {}),
    ...(slowMs === undefined ? {} : { slowMs: readNumber("--slow-ms", slowMs, MAX_SLOW_MS) }),
  };
}
