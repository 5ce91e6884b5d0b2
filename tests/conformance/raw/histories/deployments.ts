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
import type { TestEngine } from "../../../../engine/application/test-engine.helpers.ts";
import { ManualEngine } from "../../manual-engine.ts";
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
  readonly #manual: ManualEngine;

  private constructor(manual: ManualEngine) {
    this.#manual = manual;
  }

  static async of(tables: readonly TableSpec[]): Promise<EngineDeployment> {
    return new EngineDeployment(await ManualEngine.of(await bundled(tables), STARTS_AT));
  }

  get engine(): TestEngine {
    return this.#manual.engine;
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

  advance(ms: number): Promise<void> {
    return this.#manual.advance(ms);
  }

  async restart(): Promise<void> {
    this.#manual.kill();
    await this.#manual.start();
  }

  close(): Promise<void> {
    return this.#manual.close();
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
