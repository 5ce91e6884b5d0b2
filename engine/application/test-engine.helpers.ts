/**
 * Owns: an application over a store of its own for one test, and short ways to call it.
 * Not: bundling (test-app.helpers.ts).
 */
import { randomBytes } from "node:crypto";
import { convexToJson, jsonToConvex } from "convex/values";
import type { JSONValue, Value } from "convex/values";
import { describe, expect, onTestFinished } from "vitest";
import type {
  Application,
  CallOptions,
  Caller,
  FunctionFailure,
  FunctionTarget,
  LiveQuery,
  RequestKey,
} from "../application.ts";
import { manualClock } from "../clock.helpers.ts";
import type { ManualClock } from "../clock.helpers.ts";
import { openApplication } from "../open-application.ts";
import { temporaryFolder } from "../storage/folder.helpers.ts";
import { createMemoryStorage } from "../storage/memory.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import type { Storage } from "../storage/storage.ts";
import { bundleApp } from "./test-app.helpers.ts";
import type { AppFiles } from "./test-app.helpers.ts";

export const VISITOR: Caller = { kind: "visitor", identity: null };
export const ADMIN: Caller = { kind: "admin", identity: null };
export const REQUEST = { requestId: "r1", ip: "203.0.113.9", userAgent: "test" };

type Args = Record<string, Value>;

/** Name → how to open a store that `reopen` finds again. */
export const STORES: Readonly<Record<string, () => () => Storage>> = {
  memory: () => {
    const storage = createMemoryStorage();
    return () => {
      storage.discard();
      return storage;
    };
  },
  sqlite: () => {
    const path = `${temporaryFolder()}/test.sqlite`;
    return () => openSqliteStorage({ path, durability: "os" });
  },
};

export class TestEngine {
  readonly application: Application;
  readonly clock: ManualClock;
  readonly storage: Storage;
  readonly internalErrors: unknown[];

  private constructor(
    application: Application,
    clock: ManualClock,
    storage: Storage,
    internalErrors: unknown[],
  ) {
    this.application = application;
    this.clock = clock;
    this.storage = storage;
    this.internalErrors = internalErrors;
  }

  static async open(storage: Storage, clock = manualClock()): Promise<TestEngine> {
    const internalErrors: unknown[] = [];
    const application = await openApplication({
      storage,
      clock,
      random: randomBytes,
      origin: { cloudUrl: "http://cloud.example", siteUrl: "http://site.example" },
      onInternalError: (error) => internalErrors.push(error),
    });
    return new TestEngine(application, clock, storage, internalErrors);
  }

  /** With the app pushed; closed when the test ends. */
  static async deployed(storage: Storage, files: AppFiles): Promise<TestEngine> {
    const engine = await TestEngine.open(storage);
    onTestFinished(() => engine.application.close());
    await engine.deploy(files);
    return engine;
  }

  async deploy(files: AppFiles): Promise<void> {
    const staged = await this.application.deployments.stage(await bundleApp(files));
    await staged.activate();
  }

  async query(path: string, args: Args = {}, caller = VISITOR): Promise<Value> {
    const { target, argsJson, options } = prepare(path, args, caller);
    return valueOf(await this.application.query(target, argsJson, options));
  }

  async mutation(path: string, args: Args = {}, requestKey?: RequestKey): Promise<Value> {
    const { target, argsJson, options } = prepare(path, args, VISITOR);
    const keyed = requestKey === undefined ? options : { ...options, requestKey };
    return valueOf(await this.application.mutation(target, argsJson, keyed));
  }

  async action(path: string, args: Args = {}): Promise<Value> {
    const { target, argsJson, options } = prepare(path, args, VISITOR);
    return valueOf(await this.application.action(target, argsJson, options));
  }

  async failure(
    kind: "query" | "mutation" | "action",
    path: string,
    args: Args = {},
    caller = VISITOR,
  ): Promise<FunctionFailure> {
    const { target, argsJson, options } = prepare(path, args, caller);
    const result = await this.application[kind](target, argsJson, options);
    if (result.ok) expect.fail(`${path} succeeded with ${result.value}`);
    return result;
  }

  watch(path: string, args: Args = {}, journal: string | null = null): LiveQuery {
    const { target, argsJson } = prepare(path, args, VISITOR);
    return this.application.live.open(target, argsJson, VISITOR, journal);
  }

  async seen(live: LiveQuery): Promise<Value> {
    const { results } = await this.application.live.evaluate([live]);
    const [result] = results;
    if (result === undefined) expect.fail("nothing was evaluated");
    return valueOf(result);
  }
}

function prepare(
  path: string,
  args: Args,
  caller: Caller,
): { target: FunctionTarget; argsJson: string; options: CallOptions } {
  return {
    target: { componentPath: "", path },
    argsJson: JSON.stringify(convexToJson(args)),
    options: { caller, request: REQUEST },
  };
}

function valueOf(result: { ok: true; value: string } | FunctionFailure): Value {
  if (!result.ok) throw Object.assign(new Error(result.message), { data: result.data });
  return jsonToConvex(JSON.parse(result.value) as JSONValue);
}

/** The same tests on every store. */
export function onEachStore(body: (newStore: () => () => Storage) => void): void {
  describe.each(Object.entries(STORES))("on %s storage", (_name, newStore) => body(newStore));
}
