/**
 * Owns: a history's app on each runtime, with the few ways in which a history reaches it.
 * Not: the history (history.ts), what must hold (play.ts).
 */
import { readFileSync } from "node:fs";
import { convexTest } from "convex-test";
import { makeFunctionReference } from "convex/server";
import type { Value } from "convex/values";
import { vi } from "vitest";
import type { DeployRequest, LiveQuery } from "../../../../engine/application.ts";
import { bundleApp } from "../../../../engine/application/test-app.helpers.ts";
import { TestEngine } from "../../../../engine/application/test-engine.helpers.ts";
import { manualClock, settle } from "../../../../engine/clock.helpers.ts";
import { JobRunner } from "../../../../engine/scheduler/jobs.ts";
import { createMemoryStorage } from "../../../../engine/storage/memory.ts";
import * as functions from "./functions.helpers.ts";
import { schemaOf } from "./schema.helpers.ts";
import type { TableSpec } from "./schema.helpers.ts";

export type Args = Record<string, Value>;

export interface Deployment {
  query(name: string, args: Args): Promise<Value>;
  mutation(name: string, args: Args): Promise<Value>;
  /** What is due by then runs, one after the other. */
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}

const STARTS_AT = 1_800_000_000_000;
const MODULE = "ops";

const fileOf = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");
const TABLES_GO_HERE = "the tables go here";
const FILES = {
  [`${MODULE}.ts`]: fileOf("./functions.helpers.ts"),
  "schema.ts": `${fileOf("./schema.helpers.ts")}\nexport default schemaOf(JSON.parse(${JSON.stringify(TABLES_GO_HERE)}));`,
};

/** Bundled once; only the text of the tables differs. */
async function bundled(tables: readonly TableSpec[]): Promise<DeployRequest> {
  const { definitions } = await bundleApp(FILES);
  const text = JSON.stringify(JSON.stringify(tables));
  return {
    definitions: definitions.map((definition) => ({
      ...definition,
      schema: definition.schema && {
        ...definition.schema,
        source: definition.schema.source.replace(JSON.stringify(TABLES_GO_HERE), () => text),
      },
    })),
  };
}

export class EngineDeployment implements Deployment {
  readonly #storage = createMemoryStorage();
  readonly #clock = manualClock(STARTS_AT);
  readonly #problems: unknown[] = [];
  #running: { readonly engine: TestEngine; readonly jobs: JobRunner } | null = null;

  static async of(tables: readonly TableSpec[]): Promise<EngineDeployment> {
    const deployment = new EngineDeployment();
    await deployment.#start();
    const { deployments } = deployment.engine.application;
    await (await deployments.stage(await bundled(tables))).activate();
    return deployment;
  }

  get engine(): TestEngine {
    if (this.#running === null) throw new Error("The engine does not run.");
    return this.#running.engine;
  }

  query(name: string, args: Args): Promise<Value> {
    return this.engine.query(`${MODULE}:${name}`, args);
  }

  mutation(name: string, args: Args): Promise<Value> {
    return this.engine.mutation(`${MODULE}:${name}`, args);
  }

  watch(name: string, args: Args): LiveQuery {
    return this.engine.watch(`${MODULE}:${name}`, args);
  }

  async advance(ms: number): Promise<void> {
    const until = this.#clock.now() + ms;
    await this.#untilIdle();
    for (;;) {
      const [next] = this.#clock.dueTimes();
      if (next === undefined || next > until) break;
      await this.#clock.advance(Math.max(0, next - this.#clock.now()));
      await this.#untilIdle();
    }
    await this.#clock.advance(until - this.#clock.now());
    await this.#untilIdle();
  }

  /** As after a kill: what was not durable is gone. */
  async restart(): Promise<void> {
    this.#storage.discard();
    await this.#running?.jobs.stop();
    this.#collectProblems();
    await this.#start();
  }

  async close(): Promise<void> {
    await this.#running?.jobs.stop();
    await this.engine.application.close();
    this.#collectProblems();
    if (this.#problems.length > 0)
      throw new AggregateError(this.#problems, "The engine had internal errors.");
  }

  #collectProblems(): void {
    this.#problems.push(...(this.#running?.engine.internalErrors ?? []));
  }

  async #start(): Promise<void> {
    const engine = await TestEngine.open(this.#storage, this.#clock);
    const jobs = new JobRunner(engine.application, this.#clock, (_what, error) =>
      this.#problems.push(error),
    );
    this.#running = { engine, jobs };
    await jobs.start();
  }

  async #untilIdle(): Promise<void> {
    const { scheduled } = this.engine.application;
    while (scheduled.due(this.#clock.now(), 1).jobs.length > 0) await settle();
  }
}

/** Time moves in steps of this, so that jobs run in the order in which they are due. */
const STEP_MS = 100;

export class ConvexTestDeployment implements Deployment {
  readonly #t;
  readonly #silenced;

  constructor(tables: readonly TableSpec[]) {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: STARTS_AT });
    this.#silenced = vi.spyOn(console, "error").mockReturnValue(undefined);
    this.#t = convexTest(schemaOf(tables), {
      [`./${MODULE}.ts`]: async () => functions,
      "./_generated/api.js": async () => ({}),
    });
  }

  query(name: string, args: Args): Promise<Value> {
    return this.#t.query(makeFunctionReference<"query", Args, Value>(`${MODULE}:${name}`), args);
  }

  mutation(name: string, args: Args): Promise<Value> {
    return this.#t.mutation(
      makeFunctionReference<"mutation", Args, Value>(`${MODULE}:${name}`),
      args,
    );
  }

  async advance(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      vi.advanceTimersByTime(Math.min(STEP_MS, ms - passed));
      await this.#t.finishInProgressScheduledFunctions();
    }
  }

  async close(): Promise<void> {
    vi.clearAllTimers();
    vi.useRealTimers();
    this.#silenced.mockRestore();
  }
}
