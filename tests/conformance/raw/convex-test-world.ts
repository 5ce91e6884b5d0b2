/// <reference types="vite/client" />
/** Owns: the app on convex-test, whose clock is moved by hand. Not: the engine (engine-world.ts). */
import { convexTest } from "convex-test";
import type { TestConvex } from "convex-test";
import { makeFunctionReference } from "convex/server";
import type { GenericSchema, SchemaDefinition } from "convex/server";
import type { Value } from "convex/values";
import { vi } from "vitest";
import type { Args, Calls, Pages, User, Watched, WatchedPages, World } from "./world.ts";

type App = TestConvex<SchemaDefinition<GenericSchema, boolean>>;
type Modules = Record<string, () => Promise<unknown>>;
type Page = { page: Value[]; isDone: boolean; continueCursor: string };

/** convex-test finds the root of the modules by a file below _generated, which this app does without. */
const GENERATED = async () => ({});
const app: Modules = {
  ...import.meta.glob(["./app/convex/*.ts", "!./app/convex/*.config.ts"]),
  "./app/convex/_generated/api.js": GENERATED,
};
const shelf: Modules = {
  ...import.meta.glob("./app/convex/shelf/{books,papers,ticks}.ts"),
  "./app/convex/shelf/_generated/api.js": GENERATED,
};
const drawer: Modules = {
  ...import.meta.glob("./app/convex/shelf/drawer/slips.ts"),
  "./app/convex/shelf/drawer/_generated/api.js": GENERATED,
};

const ISSUER = "https://tokens.example";
const START = 1_800_000_000_000;
/** How far the clock moves at once while something is waited for, and how often. */
const STEP_MS = 250;
const MAX_STEPS = 200;

async function schemaOf(modules: Record<string, () => Promise<unknown>>) {
  const [load] = Object.values(modules);
  const { default: schema } = (await load?.()) as {
    default: SchemaDefinition<GenericSchema, boolean>;
  };
  return schema;
}

export async function openConvexTestWorld(): Promise<{ world: World; close(): Promise<void> }> {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: START });
  const silenced = (["log", "warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockReturnValue(undefined),
  );
  const schemas = await Promise.all([
    schemaOf(import.meta.glob("./app/convex/schema.ts")),
    schemaOf(import.meta.glob("./app/convex/shelf/schema.ts")),
    schemaOf(import.meta.glob("./app/convex/shelf/drawer/schema.ts")),
  ]);
  const fresh = (): App => {
    const t = convexTest({ schema: schemas[0], modules: app, transactionLimits: true });
    t.registerComponent("shelf", schemas[1], shelf);
    t.registerComponent("shelf/drawer", schemas[2], drawer);
    return t;
  };
  const world = new ConvexTestWorld(fresh);
  const close = async () => {
    vi.clearAllTimers();
    vi.useRealTimers();
    for (const spy of silenced) spy.mockRestore();
  };
  return { world, close };
}

class ConvexTestWorld implements World {
  readonly runtime = "convex-test";
  readonly #fresh: () => App;
  #t: App;
  #variables = new Set<string>();

  constructor(fresh: () => App) {
    this.#fresh = fresh;
    this.#t = fresh();
  }

  query(path: string, args: Args = {}): Promise<Value> {
    return callsOf(this.#t).query(path, args);
  }
  mutation(path: string, args: Args = {}): Promise<Value> {
    return callsOf(this.#t).mutation(path, args);
  }
  action(path: string, args: Args = {}): Promise<Value> {
    return callsOf(this.#t).action(path, args);
  }

  async as({ user }: { user?: User }): Promise<Calls> {
    return callsOf(user === undefined ? this.#t : this.#t.withIdentity(identityOf(user)));
  }

  async fetch(path: string, init?: RequestInit, user?: User): Promise<Response> {
    const t = user === undefined ? this.#t : this.#t.withIdentity(identityOf(user));
    return t.fetch(path, init);
  }

  /** Nothing pushes here: whoever looks asks anew. */
  async watch(path: string, args: Args = {}): Promise<Watched> {
    return { latest: () => this.query(path, args) };
  }

  async watchPages(path: string, args: Args, initialNumItems: number): Promise<WatchedPages> {
    const pages: { cursor: string | null; endCursor: string | null; numItems: number }[] = [
      { cursor: null, endCursor: null, numItems: initialNumItems },
    ];
    const latest = async (): Promise<Pages> => {
      const found: Page[] = [];
      for (const page of pages) {
        const result = (await this.query(path, { ...args, paginationOpts: page })) as Page;
        // Once given, a page keeps its end: over the websocket its journal pins it.
        page.endCursor ??= result.continueCursor;
        found.push(result);
      }
      return { items: found.flatMap(({ page }) => page), isDone: found.at(-1)?.isDone ?? false };
    };
    const loadMore = (numItems: number) => {
      pages.push({ cursor: pages.at(-1)?.endCursor ?? null, endCursor: null, numItems });
      return latest();
    };
    await latest();
    return { latest, loadMore };
  }

  async until(path: string, args: Args, fits: (value: Value) => boolean): Promise<Value> {
    for (let step = 0; step < MAX_STEPS; step++) {
      const value = await this.query(path, args);
      if (fits(value)) return value;
      vi.advanceTimersByTime(STEP_MS);
      await this.#t.finishInProgressScheduledFunctions();
    }
    throw new Error(`${path} did not come to what was waited for.`);
  }

  async setVariable(name: string, value: string | null): Promise<void> {
    this.#variables.add(name);
    if (value === null) delete process.env[name];
    else process.env[name] = value;
  }

  async clear(): Promise<void> {
    vi.clearAllTimers();
    for (const name of this.#variables) delete process.env[name];
    this.#t = this.#fresh();
  }
}

function callsOf(t: Pick<App, "query" | "mutation" | "action">): Calls {
  return {
    query: (path, args = {}) => t.query(makeFunctionReference<"query", Args, Value>(path), args),
    mutation: (path, args = {}) =>
      t.mutation(makeFunctionReference<"mutation", Args, Value>(path), args),
    action: (path, args = {}) => t.action(makeFunctionReference<"action", Args, Value>(path), args),
  };
}

function identityOf(user: User) {
  return { ...user, issuer: ISSUER };
}
