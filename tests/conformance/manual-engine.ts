/**
 * Owns: an engine whose clock is moved by hand and that can be killed at any moment: what was not durable is gone, and
 * what the dead one still tries reaches nothing.
 * Not: real processes that are killed (engine/server/crash.test.ts).
 */
import type { Application, DeployRequest } from "../../engine/application.ts";
import { TestEngine } from "../../engine/application/test-engine.helpers.ts";
import { manualClock, settle } from "../../engine/clock.helpers.ts";
import type { ManualClock } from "../../engine/clock.helpers.ts";
import { JobRunner } from "../../engine/scheduler/jobs.ts";
import { createMemoryStorage } from "../../engine/storage/memory.ts";
import type { Storage } from "../../engine/storage/storage.ts";

type Process = { readonly engine: TestEngine; readonly jobs: JobRunner; readonly life: Life };

export class ManualEngine {
  readonly clock: ManualClock;
  readonly #storage = createMemoryStorage();
  readonly #problems: unknown[] = [];
  #process: Process | null = null;

  private constructor(startsAt: number) {
    this.clock = manualClock(startsAt);
  }

  static async of(request: DeployRequest, startsAt: number): Promise<ManualEngine> {
    const manual = new ManualEngine(startsAt);
    await manual.start();
    await (await manual.engine.application.deployments.stage(request)).activate();
    return manual;
  }

  get engine(): TestEngine {
    if (this.#process === null) throw new Error("The engine does not run: it was killed.");
    return this.#process.engine;
  }

  /** Moves time from one timer to the next, and waits for the jobs that each sets off. */
  async advance(ms: number): Promise<void> {
    await advance(this.engine.application, this.clock, ms);
  }

  /** At once, whatever runs. */
  kill(): void {
    if (this.#process === null) return;
    this.#process.life.isOver = true;
    this.#storage.discard();
    this.#process = null;
  }

  async start(): Promise<void> {
    const life = { isOver: false };
    const storage = mortal(this.#storage, life);
    const engine = await TestEngine.open(storage, this.clock);
    const jobs = new JobRunner(engine.application, this.clock, (_what, error) => {
      if (!life.isOver) this.#problems.push(error);
    });
    this.#process = { engine, jobs, life };
    await jobs.start();
  }

  /** Throws what went wrong inside the engine, if anything did. */
  async close(): Promise<void> {
    if (this.#process === null) return;
    const { engine, jobs } = this.#process;
    await jobs.stop();
    await engine.application.close();
    const problems = [...this.#problems, ...engine.internalErrors];
    if (problems.length > 0) throw new AggregateError(problems, "The engine had internal errors.");
  }
}

export async function advance(
  application: Application,
  clock: ManualClock,
  ms: number,
): Promise<void> {
  const until = clock.now() + ms;
  await untilIdle(application, clock);
  for (;;) {
    const [next] = clock.dueTimes();
    if (next === undefined || next > until) break;
    await clock.advance(Math.max(0, next - clock.now()));
    await untilIdle(application, clock);
  }
  await clock.advance(until - clock.now());
  await untilIdle(application, clock);
}

async function untilIdle(application: Application, clock: ManualClock): Promise<void> {
  while (application.scheduled.due(clock.now(), 1).jobs.length > 0) await settle();
}

type Life = { isOver: boolean };

/** The store as one process has it open. */
function mortal(storage: Storage, life: Life): Storage {
  const alive = (): Storage => {
    if (life.isOver) throw new Error("The process is dead.");
    return storage;
  };
  return {
    get: (key) => alive().get(key),
    range: (lo, hi, order) => alive().range(lo, hi, order),
    apply: (writes, pieces) => alive().apply(writes, pieces),
    piece: (file, number) => alive().piece(file, number),
    pieceNumbers: (file, limit) => alive().pieceNumbers(file, limit),
    flush: () => alive().flush(),
    sync: () => alive().sync(),
    discard: () => alive().discard(),
    snapshot: () => alive().snapshot(),
    close: () => undefined,
  };
}
