/** Owns: playing one history on both runtimes, and what must hold at each step and at the end. Not: which histories (history.ts). */
import type { Value } from "convex/values";
import { expect } from "vitest";
import { ConvexTestDeployment, EngineDeployment } from "./deployments.ts";
import type { Args, Deployment } from "./deployments.ts";
import type { History, Read, Step } from "./history.ts";
import { Watched, WatchedPages } from "./watched.ts";
import type { Page } from "./watched.ts";

/** Apart from each other, so that the order in which jobs run is one. */
const BETWEEN_JOBS_MS = 500;
/** No process starts in no time. */
const STARTING_MS = 5;
/** Longer than any throttle of the engine and any delay of a job. */
const LONG_MS = 20_000;

export async function play({ tables, steps }: History): Promise<void> {
  const engine = await EngineDeployment.of(tables);
  const mock = new ConvexTestDeployment(tables);
  try {
    const played = new Played(engine, mock);
    for (const step of steps) await played.step(step);
    await played.end(tables.map(({ name }) => name));
  } finally {
    await mock.close();
  }
  await engine.close();
}

class Played {
  readonly #engine: EngineDeployment;
  readonly #mock: Deployment;
  readonly #watched: Watched[] = [];
  readonly #pages: WatchedPages[] = [];
  readonly #jobs: { readonly engine: Value; readonly mock: Value }[] = [];

  constructor(engine: EngineDeployment, mock: Deployment) {
    this.#engine = engine;
    this.#mock = mock;
  }

  async step(step: Step): Promise<void> {
    switch (step.kind) {
      case "mutation":
        return this.#both("mutation", "apply", { ops: step.ops, fails: step.fails });
      case "read":
        return this.#both("query", "read", { ...step.read });
      case "walk":
        expect(await walk(this.#engine, step)).toEqual(await walk(this.#mock, step));
        return;
      case "watch":
        await this.#watch({ ...step.read });
        return;
      case "watchAgain": {
        const watched = this.#watchedAt(step.which);
        if (watched !== undefined) await this.#watch(watched.args);
        return;
      }
      case "look":
        await this.#watchedAt(step.which)?.look(this.#engine);
        return;
      case "watchPages": {
        const pages = new WatchedPages(step.read, step.numItems);
        await pages.open(this.#engine);
        this.#pages.push(pages);
        return;
      }
      case "later":
        return this.#later(step);
      case "cancel": {
        const job = this.#jobs[step.which];
        if (job === undefined) return;
        await this.#cancel(job);
        return;
      }
      case "advance":
        await this.#advance(step.ms);
        return this.#refresh();
      case "restart":
        // Times of creation grow with the clock.
        await this.#advance(STARTING_MS);
        await this.#engine.restart();
        for (const watched of this.#watched) watched.open(this.#engine);
        for (const pages of this.#pages) await pages.open(this.#engine);
        return;
    }
  }

  /** Equal rows and jobs, and every subscription shows what a fresh query gives. */
  async end(tables: readonly string[]): Promise<void> {
    await this.#advance(LONG_MS);
    for (const table of tables) {
      const whole = { table, index: null, range: [], order: "asc", take: null };
      await this.#both("query", "read", whole);
    }
    const states = async (deployment: Deployment, ids: Value[]): Promise<Value> =>
      deployment.query("jobs", { ids });
    expect(
      await states(
        this.#engine,
        this.#jobs.map((job) => job.engine),
      ),
    ).toEqual(
      await states(
        this.#mock,
        this.#jobs.map((job) => job.mock),
      ),
    );
    for (const watched of this.#watched) {
      const seen = await watched.refresh(this.#engine);
      expect(seen).toEqual(await this.#engine.query(watched.name, watched.args));
      expect(seen).toEqual(await this.#mock.query(watched.name, watched.args));
    }
    for (const pages of this.#pages) await this.#checkPages(pages);
  }

  async #both(kind: "query" | "mutation", name: string, args: Args): Promise<void> {
    expect(await outcome(this.#engine[kind](name, args))).toEqual(
      await outcome(this.#mock[kind](name, args)),
    );
  }

  #watchedAt(which: number): Watched | undefined {
    return this.#watched[which % this.#watched.length];
  }

  async #watch(args: Args): Promise<void> {
    const watched = new Watched("read", args);
    watched.open(this.#engine);
    this.#watched.push(watched);
    await watched.refresh(this.#engine);
  }

  async #later({ ops, delayMs }: Extract<Step, { kind: "later" }>): Promise<void> {
    const args = {
      ops: ops as Value,
      delayMs: (delayMs + 1) * BETWEEN_JOBS_MS + this.#jobs.length,
    };
    const [engine, mock] = [
      await this.#engine.mutation("later", args),
      await this.#mock.mutation("later", args),
    ];
    this.#jobs.push({ engine, mock });
  }

  /** One that has run stays as it is; convex-test would overwrite its state (see scheduled.ts). */
  async #cancel(job: { readonly engine: Value; readonly mock: Value }): Promise<void> {
    const [state] = (await this.#engine.query("jobs", { ids: [job.engine] })) as [string];
    if (state !== "pending") return;
    await this.#engine.mutation("cancel", { id: job.engine });
    await this.#mock.mutation("cancel", { id: job.mock });
  }

  async #advance(ms: number): Promise<void> {
    await this.#engine.advance(ms);
    await this.#mock.advance(ms);
  }

  async #refresh(): Promise<void> {
    for (const watched of this.#watched) await watched.refresh(this.#engine);
    for (const pages of this.#pages) await pages.refresh(this.#engine);
  }

  /** No gap, no row twice, and nothing that a fresh read does not have. */
  async #checkPages(pages: WatchedPages): Promise<void> {
    const shown = await pages.refresh(this.#engine);
    const items = shown.flatMap(({ page }) => page);
    const fresh = (await this.#mock.query("read", { ...pages.read })) as Value[];
    const isWhole = shown.at(-1)?.isDone ?? false;
    expect(items).toEqual(isWhole ? fresh : fresh.slice(0, items.length));
  }
}

/** From the first page to the last, whatever came where one ends. */
async function walk(
  deployment: Deployment,
  { read, numItems }: { readonly read: Read; readonly numItems: number },
): Promise<Value[]> {
  const found: Value[] = [];
  let cursor: string | null = null;
  for (let isDone = false; !isDone;) {
    const page = (await deployment.query("page", { read, cursor, numItems })) as Page;
    found.push(...page.page);
    ({ isDone, continueCursor: cursor } = page);
  }
  return found;
}

/** A failure's words are each runtime's own; what a ConvexError carries is not. */
async function outcome(work: Promise<Value>): Promise<Value> {
  try {
    return { value: await work };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { failed: "data" in error ? dataOf(error.data) : null };
  }
}

function dataOf(data: unknown): Value {
  if (data === null || data === undefined) return null;
  return typeof data === "string" ? (JSON.parse(data) as Value) : (data as Value);
}
