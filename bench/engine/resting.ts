/**
 * Owns: what a large table costs without haste: starting, disk, memory, and whether memory stays flat under steady load.
 * Not: rates (rates.ts).
 */
import { setTimeout as pause } from "node:timers/promises";
import { ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api.js";
import { MINUTE_MS } from "../../domain/minutes.ts";
import { percentile } from "../report.ts";
import type { Row } from "../report.ts";
import { dataFolder } from "./data-folder.ts";
import { EngineProcess } from "./engine-process.ts";
import { rounded, runnerOn } from "./rates.ts";

const STARTS = 3;
const MAX_START_MS = 3_000;
const MILLION = 1_000_000;
const MAX_MB_PER_MILLION = 1_000;

const MAX_MEMORY_MB = 400;
/** What collecting garbage a little sooner or later makes. */
const MAX_GROWTH_MB = 20;
/** About a third of what the engine can do: a busy site, and a file that does not double while it is watched. */
const SOAK_VIEWS_PER_SECOND = 200;
const SAMPLE_EVERY_MS = 1_000;

const MINUTES_PER_HOUR = 60;
/** Caches fill meanwhile. */
const WARMING_SHARE = 0.25;

/** From starting the process to the first answer of a query, and after a kill, when the whole file is checked first. */
export async function measureStart(views: number): Promise<Row[]> {
  const { path } = await dataFolder("footfall", views);
  const clean: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const { engine, ms } = await timeStart(path);
    clean.push(ms);
    await engine.stop(start === STARTS - 1 ? "SIGKILL" : "SIGTERM");
  }
  const { engine, ms } = await timeStart(path);
  await engine.stop();
  const row = (name: string, value: number, target: number | null): Row => {
    return { name, value: Math.round(value), unit: "ms", target };
  };
  const what = `to the first answer with ${views} views`;
  return [
    row(`start ${what}, median`, percentile(clean, 0.5), MAX_START_MS),
    row(`start ${what}, after a kill`, ms, null),
  ];
}

async function timeStart(path: string): Promise<{ engine: EngineProcess; ms: number }> {
  const startedAt = performance.now();
  const engine = await EngineProcess.start(path);
  const client = new ConvexHttpClient(engine.url, {
    skipConvexDeploymentUrlCheck: true,
    logger: false,
  });
  await client.query(api.stats.getStats, { freshness: "settled" });
  return { engine, ms: performance.now() - startedAt };
}

export async function measureDisk(views: number): Promise<Row[]> {
  const { path } = await dataFolder("footfall", views);
  const engine = await EngineProcess.start(path);
  const mb = engine.diskMb();
  await engine.stop();
  const value = Math.round((mb / views) * MILLION);
  return [{ name: "disk, a million views", value, unit: "MB", target: MAX_MB_PER_MILLION }];
}

/** Steady load for a while; memory is sampled every second. */
export async function soak(views: number, minutes: number): Promise<Row[]> {
  const runner = await runnerOn("footfall", views);
  const samples: number[] = [];
  try {
    const endsAt = performance.now() + minutes * MINUTE_MS;
    while (performance.now() < endsAt) {
      const nextAt = performance.now() + SAMPLE_EVERY_MS;
      await runner.load.send((SOAK_VIEWS_PER_SECOND * SAMPLE_EVERY_MS) / 1_000);
      samples.push(runner.engine.memoryMb());
      await pause(Math.max(0, nextAt - performance.now()));
    }
  } finally {
    await runner.close();
  }
  const warm = samples.slice(Math.floor(samples.length * WARMING_SHARE));
  const third = Math.ceil(warm.length / 3);
  const growth = percentile(warm.slice(-third), 0.5) - percentile(warm.slice(0, third), 0.5);
  const row = (name: string, value: number, unit: string, target: number | null = null): Row => {
    return { name, value: Math.round(value), unit, target };
  };
  return [
    row(`memory over ${minutes} minutes of load, median`, percentile(samples, 0.5), "MB"),
    row("memory, the most", percentile(samples, 1), "MB", MAX_MEMORY_MB),
    row("memory grows, last third against first", growth, "MB", MAX_GROWTH_MB),
    {
      ...row("memory, slope of a straight line", NaN, "MB/h"),
      value: rounded(slopeMbPerMinute(warm) * MINUTES_PER_HOUR),
    },
  ];
}

/** Least squares, over samples a second apart or more when the engine was slow: `samples.length` stands for the time. */
function slopeMbPerMinute(samples: readonly number[]): number {
  const meanX = (samples.length - 1) / 2;
  const meanY = samples.reduce((sum, mb) => sum + mb, 0) / samples.length;
  let covariance = 0;
  let variance = 0;
  for (const [x, y] of samples.entries()) {
    covariance += (x - meanX) * (y - meanY);
    variance += (x - meanX) ** 2;
  }
  return (covariance / variance) * (MINUTE_MS / SAMPLE_EVERY_MS);
}
