/**
 * Owns: what live subscribers cost the writers, and how soon one hears.
 * Not: the numbers on /stats in a browser (bench/live.ts).
 */
import { setTimeout as pause } from "node:timers/promises";
import type { ConvexClient } from "convex/browser";
import { api } from "../../convex/_generated/api.js";
import { percentile } from "../report.ts";
import type { Row } from "../report.ts";
import { newestViews } from "./feed.ts";
import { connect } from "./load.ts";
import { percentLess, rounded, runnerOn } from "./rates.ts";
import type { Runner } from "./rates.ts";

const VIEWS = 10_000;
const SUBSCRIBERS = 50;
const MAX_COST_PERCENT = 20;
const WATCHED_ROUNDS = 7;
const VIEWS_PER_WATCHED_ROUND = 600;
/** The first rows that a subscriber asks for; each asks for one more than the one before. */
const FEWEST_ROWS = 10;

const UPDATES = 41;
const MAX_UPDATE_MS = 50;
/** So that each update comes to an engine at rest. */
const BETWEEN_UPDATES_MS = 150;

/** Every view makes every one of them stale. They come and go between rounds, so that both kinds see the same machine. */
export async function measureSubscribers(): Promise<Row[]> {
  const runner = await runnerOn("footfall", VIEWS);
  const clients = Array.from({ length: SUBSCRIBERS }, () => connect(runner.engine.url));
  const alone: number[] = [];
  const watched: number[] = [];
  let updates = 0;
  try {
    for (let round = 0; round < WATCHED_ROUNDS; round += 1) {
      alone.push(await runner.load.send(VIEWS_PER_WATCHED_ROUND));
      const stop = await subscribeAll(clients, () => (updates += 1));
      watched.push(await runner.load.send(VIEWS_PER_WATCHED_ROUND));
      for (const end of stop) end();
    }
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await runner.close();
  }
  const [without, with50] = [percentile(alone, 0.5), percentile(watched, 0.5)];
  const row = (name: string, value: number, unit: string, target: number | null = null): Row => {
    return { name, value, unit, target };
  };
  return [
    row("recordPageView, nobody subscribed", Math.round(without), "/s"),
    row(`recordPageView, ${SUBSCRIBERS} subscribers`, Math.round(with50), "/s"),
    row(
      `${SUBSCRIBERS} subscribers with different arguments cost`,
      percentLess(without, with50),
      "%",
      MAX_COST_PERCENT,
    ),
    row(
      "updates that each of them got, a round",
      rounded(updates / SUBSCRIBERS / WATCHED_ROUNDS),
      "",
    ),
  ];
}

async function subscribeAll(
  clients: readonly ConvexClient[],
  heard: () => void,
): Promise<(() => void)[]> {
  const begun: Promise<void>[] = [];
  const stop = clients.map((client, place) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push(promise);
    return client.onUpdate(newestViews, { count: FEWEST_ROWS + place }, () => {
      heard();
      resolve();
    });
  });
  await Promise.all(begun);
  return stop;
}

/** From sending a view to its showing in the exact headline of somebody else. */
export async function measureUpdate(): Promise<Row[]> {
  const runner = await runnerOn("footfall", VIEWS);
  const reader = connect(runner.engine.url);
  try {
    const times: number[] = [];
    await settleAll(reader);
    const total = await followTotal(reader);
    for (let update = 0; update < UPDATES; update += 1) {
      await pause(BETWEEN_UPDATES_MS);
      times.push(await timeOfOne(runner, total));
    }
    const name = "a view reaches a subscriber of a quiet engine, median";
    const value = rounded(percentile(times, 0.5));
    return [{ name, value, unit: "ms", target: MAX_UPDATE_MS }];
  } finally {
    await reader.close();
    await runner.close();
  }
}

/** What the warming left behind: an engine at rest has counted it long ago. */
async function settleAll(client: ConvexClient): Promise<void> {
  for (;;) {
    const { isSettled } = await client.mutation(api.stats.settle, {});
    if (isSettled) return;
  }
}

type Total = { next: () => Promise<void> };

async function followTotal(reader: ConvexClient): Promise<Total> {
  let known = -1;
  let onChange = (): void => {};
  const first = Promise.withResolvers<void>();
  reader.onUpdate(api.stats.getStats, {}, ({ totalPageViews }) => {
    if (totalPageViews === known) return;
    known = totalPageViews;
    first.resolve();
    onChange();
  });
  await first.promise;
  return {
    next: () =>
      new Promise<void>((resolve) => {
        onChange = resolve;
      }),
  };
}

/** A duplicate changes nothing, so another view is sent after it. */
async function timeOfOne({ load }: Runner, total: Total): Promise<number> {
  for (;;) {
    const changed = total.next().then(() => performance.now());
    const startedAt = performance.now();
    const isCounted = await load.sendOne();
    if (isCounted) return (await changed) - startedAt;
  }
}
