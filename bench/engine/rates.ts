/**
 * Owns: how many views a second are durably acknowledged: beside the original design, by size of the table, and beside
 * what SQLite alone does with the same rows.
 * Not: what else an engine must be good at (subscribers.ts, resting.ts).
 *
 * What is compared takes turns, round by round, so that whatever else the machine does hits both.
 */
import { percentile } from "../report.ts";
import type { Row } from "../report.ts";
import type { Design } from "./apps.ts";
import { dataFolder } from "./data-folder.ts";
import { EngineProcess } from "./engine-process.ts";
import { Load } from "./load.ts";
import { rawRates } from "./raw.ts";

const CLIENTS = 20;
const RATE_ROUNDS = 15;
/** So few that a folder of 1,000 views stays small; a round is a second or less. */
const VIEWS_PER_ROUND: Readonly<Record<Design, number>> = {
  footfall: 400,
  original: 100,
  published: 100,
};
/** Until the code is compiled and the caches hold what is hot. */
const VIEWS_TO_WARM: Readonly<Record<Design, number>> = {
  footfall: 6_000,
  original: 1_200,
  published: 1_200,
};

/** The size at which the original is measured. */
const COMPARED_VIEWS = 10_000;
const FEW_VIEWS = 1_000;

const LEAST_TIMES_ORIGINAL = 4;
const LEAST_PER_SECOND = 1_000;
const MAX_FALL_PERCENT = 20;

export type Runner = {
  readonly engine: EngineProcess;
  readonly load: Load;
  close(): Promise<void>;
};

export async function runnerOn(
  design: Design,
  views: number,
  nodeFlags: readonly string[] = [],
): Promise<Runner> {
  const folder = await dataFolder(design, views);
  const engine = await EngineProcess.start(folder.path, nodeFlags);
  const load = new Load(engine.url, { design, ...folder, clients: CLIENTS });
  await load.send(VIEWS_TO_WARM[design]);
  return {
    engine,
    load,
    close: async () => {
      await load.close();
      await engine.stop();
    },
  };
}

/** Median of the rounds of each design or size, in turns. */
async function inTurns(
  runners: readonly { design: Design; runner: Runner }[],
): Promise<{ rates: number[]; cpuMsPerView: number[] }> {
  const rounds = runners.map(() => [] as number[]);
  const cpu = runners.map(() => 0);
  for (let round = 0; round < RATE_ROUNDS; round += 1) {
    for (const [place, { design, runner }] of runners.entries()) {
      const before = runner.engine.cpuMs();
      rounds[place]?.push(await runner.load.send(VIEWS_PER_ROUND[design]));
      cpu[place] = (cpu[place] ?? 0) + runner.engine.cpuMs() - before;
    }
  }
  return {
    rates: rounds.map((rates) => percentile(rates, 0.5)),
    cpuMsPerView: runners.map(
      ({ design }, place) => (cpu[place] ?? NaN) / (RATE_ROUNDS * VIEWS_PER_ROUND[design]),
    ),
  };
}

/** Beside the original as it is published; and beside what design.md gives figures for, which does less. */
export async function compareWithOriginal(): Promise<Row[]> {
  const designs: readonly Design[] = ["footfall", "published", "original"];
  const runners: { design: Design; runner: Runner }[] = [];
  try {
    for (const design of designs) {
      runners.push({ design, runner: await runnerOn(design, COMPARED_VIEWS) });
    }
    const { rates, cpuMsPerView } = await inTurns(runners);
    const [rate = NaN, published = NaN, bare = NaN] = rates;
    const [cpuMs = NaN, publishedCpuMs = NaN, bareCpuMs = NaN] = cpuMsPerView;
    const row = (name: string, value: number, unit: string, target: number | null = null): Row => {
      return { name, value: rounded(value), unit, target, isAtLeast: true };
    };
    const plain = "without its rate limiter and its paths";
    return [
      row(
        `recordPageView, ${CLIENTS} clients, at ${COMPARED_VIEWS} views`,
        Math.round(rate),
        "/s",
        LEAST_PER_SECOND,
      ),
      row("the original design's, as published", Math.round(published), "/s"),
      row(`the original design's, ${plain}`, Math.round(bare), "/s"),
      row("times the original's", rate / published, "×", LEAST_TIMES_ORIGINAL),
      row(`times the original's, ${plain}`, rate / bare, "×"),
      row("the engine's processor time a view", cpuMs, "ms"),
      row("its processor time a view of the original's", publishedCpuMs, "ms"),
      row(`its processor time a view of the original's, ${plain}`, bareCpuMs, "ms"),
    ];
  } finally {
    for (const { runner } of runners) await runner.close();
  }
}

export async function compareSizes(views: number): Promise<Row[]> {
  const small = await runnerOn("footfall", FEW_VIEWS);
  const large = await runnerOn("footfall", views);
  try {
    const { rates, cpuMsPerView } = await inTurns([
      { design: "footfall", runner: small },
      { design: "footfall", runner: large },
    ]);
    const [few = NaN, many = NaN] = rates;
    const [fewCpu = NaN, manyCpu = NaN] = cpuMsPerView;
    const row = (name: string, value: number, unit: string, target: number | null = null): Row => {
      return { name, value, unit, target };
    };
    return [
      row(`recordPageView at ${FEW_VIEWS} views`, Math.round(few), "/s"),
      row(`recordPageView at ${views} views`, Math.round(many), "/s"),
      row("the rate falls between them by", percentLess(few, many), "%", MAX_FALL_PERCENT),
      row("processor time a view grows by", -percentLess(fewCpu, manyCpu), "%"),
    ];
  } finally {
    await small.close();
    await large.close();
  }
}

/** How far we are from SQLite alone: same rows, same durability, as many commits in a group. */
export async function compareWithRaw(): Promise<Row[]> {
  const ours = await runnerOn("footfall", COMPARED_VIEWS);
  try {
    const { rates } = await inTurns([{ design: "footfall", runner: ours }]);
    const [rate = NaN] = rates;
    const { alone, grouped } = await rawRates(COMPARED_VIEWS, CLIENTS);
    const row = (name: string, value: number, unit: string): Row => {
      return { name, value: rounded(value), unit, target: null };
    };
    return [
      row("node:sqlite alone, a view's rows, a flush each", Math.round(alone), "/s"),
      row(`node:sqlite alone, a flush for ${CLIENTS} views`, Math.round(grouped), "/s"),
      row("the engine reaches of that", (rate / grouped) * 100, "%"),
    ];
  } finally {
    await ours.close();
  }
}

export function percentLess(before: number, after: number): number {
  return rounded((1 - after / before) * 100);
}

/** Two decimals. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
