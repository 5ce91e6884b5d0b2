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
const RATE_ROUNDS = 7;
/** So few that a folder of 1,000 views stays small; a round is a second or less. */
const VIEWS_PER_ROUND: Readonly<Record<Design, number>> = { footfall: 400, original: 100 };
/** Until the code is compiled and the caches hold what is hot. */
const VIEWS_TO_WARM: Readonly<Record<Design, number>> = { footfall: 6_000, original: 1_200 };

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

export async function compareWithOriginal(): Promise<Row[]> {
  const ours = await runnerOn("footfall", COMPARED_VIEWS);
  const original = await runnerOn("original", COMPARED_VIEWS);
  try {
    const { rates, cpuMsPerView } = await inTurns([
      { design: "footfall", runner: ours },
      { design: "original", runner: original },
    ]);
    const [rate = NaN, originalRate = NaN] = rates;
    const [cpuMs = NaN, originalCpuMs = NaN] = cpuMsPerView;
    const at = `at ${COMPARED_VIEWS} views`;
    return [
      {
        name: `recordPageView, ${CLIENTS} clients, ${at}`,
        value: Math.round(rate),
        unit: "/s",
        target: LEAST_PER_SECOND,
        isAtLeast: true,
      },
      {
        name: `the original design's, ${at}`,
        value: Math.round(originalRate),
        unit: "/s",
        target: null,
      },
      {
        name: "times the original's",
        value: rounded(rate / originalRate),
        unit: "×",
        target: LEAST_TIMES_ORIGINAL,
        isAtLeast: true,
      },
      {
        name: "the engine's processor time a view",
        value: rounded(cpuMs),
        unit: "ms",
        target: null,
      },
      {
        name: "its processor time a view of the original's",
        value: rounded(originalCpuMs),
        unit: "ms",
        target: null,
      },
    ];
  } finally {
    await ours.close();
    await original.close();
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
