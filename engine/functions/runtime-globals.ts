/**
 * Owns: the globals that user code sees: Convex's runtime, not Node's.
 * Not: how they get into the code (bundle.ts passes them as parameters of a compiled function).
 *
 * Queries and mutations are deterministic: one reading of the clock, a seeded Math.random(), no I/O and no timers.
 */
import type { Clock } from "../clock.ts";
import type { RandomBytes } from "../catalog/documents.ts";
import { UUID_BYTES, uuidOf } from "../values/uuid.ts";
import { currentExecution } from "./execution.ts";
import { userConsole } from "./user-console.ts";

/** The functions that npm's `convex` calls; JSON text in, JSON text out. */
export type ConvexBridge = {
  readonly syscall: (operation: string, argsJson: string) => string;
  readonly asyncSyscall: (operation: string, argsJson: string) => Promise<string>;
  readonly jsSyscall: (operation: string, args: unknown) => unknown;
};

export type RuntimeOptions = {
  readonly bridge: ConvexBridge;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Undefined for a variable that is not set. */
  readonly readEnvironment: (name: string) => string | undefined;
};

/** Node's own that Convex does not have; code that leans on them would fail there. */
const ABSENT = ["Buffer", "setImmediate", "clearImmediate", "require", "global", "window"] as const;

export function runtimeGlobals(options: RuntimeOptions): Readonly<Record<string, unknown>> {
  const { bridge, clock, random } = options;
  const overrides: Record<string, unknown> = {
    Convex: bridge,
    process: { env: environment(options.readEnvironment) },
    console: userConsole(clock),
    Date: transactionDate(clock),
    Math: transactionMath(),
    crypto: transactionCrypto(random),
    performance: transactionPerformance(),
    fetch: onlyInActions("fetch()", globalThis.fetch),
    setTimeout: onlyInActions("setTimeout", globalThis.setTimeout),
    setInterval: onlyInActions("setInterval", globalThis.setInterval),
    clearTimeout: globalThis.clearTimeout,
    clearInterval: globalThis.clearInterval,
  };
  for (const name of ABSENT) overrides[name] = undefined;
  const scope = globalScope(overrides);
  return { ...overrides, globalThis: scope, self: scope };
}

/** `globalThis.fetch` must be the same as `fetch`; what is set on it stays within the component. */
function globalScope(overrides: Record<string, unknown>): object {
  const own: Record<string | symbol, unknown> = { ...overrides };
  const scope: object = new Proxy(own, {
    get(_target, name) {
      if (name === "globalThis" || name === "self") return scope;
      return Object.hasOwn(own, name) ? own[name] : (Reflect.get(globalThis, name) as unknown);
    },
    has: (_target, name) => Object.hasOwn(own, name) || Reflect.has(globalThis, name),
    set(_target, name, value) {
      own[name] = value;
      return true;
    },
  });
  return scope;
}

function environment(read: (name: string) => string | undefined): object {
  return new Proxy(Object.create(null) as object, {
    get: (_target, name) => (typeof name === "string" ? read(name) : undefined),
    has: (_target, name) => typeof name === "string" && read(name) !== undefined,
    getOwnPropertyDescriptor(_target, name) {
      const value = typeof name === "string" ? read(name) : undefined;
      return value === undefined ? undefined : { value, enumerable: true, configurable: true };
    },
    set() {
      throw new Error("Environment variables cannot be set by code: use `npx convex env set`.");
    },
  });
}

function transactionDate(clock: Clock): DateConstructor {
  const now = (): number => currentExecution()?.transaction?.now ?? clock.now();
  return new Proxy(Date, {
    get: (target, name, receiver) =>
      name === "now" ? now : (Reflect.get(target, name, receiver) as unknown),
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
    apply: () => new Date(now()).toString(),
  });
}

function transactionMath(): Math {
  const math = Object.create(null) as Math;
  Object.defineProperties(math, Object.getOwnPropertyDescriptors(Math));
  Object.defineProperty(math, "random", {
    value: () => currentExecution()?.nextRandom() ?? Math.random(),
  });
  return math;
}

/** Unguessable also in mutations: a transaction runs once, so nothing needs the same bytes again. */
function transactionCrypto(random: RandomBytes): object {
  return new Proxy(globalThis.crypto, {
    get(target, name) {
      if (name === "getRandomValues") return (array: Uint8Array) => fill(array, random);
      if (name === "randomUUID") return () => uuidOf(random(UUID_BYTES));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

function fill<T extends ArrayBufferView>(array: T, random: RandomBytes): T {
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(random(array.byteLength));
  return array;
}

function transactionPerformance(): object {
  return {
    now: () => (currentExecution()?.transaction ? 0 : performance.now()),
    timeOrigin: performance.timeOrigin,
  };
}

function onlyInActions<A extends unknown[], R>(name: string, call: (...args: A) => R): unknown {
  return (...args: A): R => {
    const kind = currentExecution()?.kind;
    if (kind === "action" || kind === "httpAction") return call(...args);
    throw new Error(
      `Can't use ${name} in queries and mutations. Please consider using an action. ` +
        "See https://docs.convex.dev/functions/actions for more details.",
    );
  };
}

/** A small generator (splitmix32) that gives the same numbers for the same seed. */
export function seededRandom(seed: Uint8Array): () => number {
  let state = Buffer.from(seed).readInt32LE(0);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}
