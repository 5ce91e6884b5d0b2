/**
 * Owns: how soon a filter that nobody asked for before has its first numbers, and all of them; and how a filter that is
 * made answers beside no filter.
 * Not: whether they are right (tests/conformance/filter-histories.ts).
 */
import type { ConvexClient } from "convex/browser";
import { api } from "../../convex/_generated/api.js";
import { DAY_MS } from "../../domain/calendar/civil.ts";
import type { Condition } from "../../domain/filters/filter.ts";
import { percentile } from "../report.ts";
import type { Row } from "../report.ts";
import { dataFolder } from "./data-folder.ts";
import { EngineProcess } from "./engine-process.ts";
import { connect } from "./load.ts";

const RANGE_DAYS = 30;
const ASKED_AGAIN = 15;
const FIRST_TARGET_MS = 1_000;
const ALL_TARGET_MS = 15_000;

/** Two dimensions each; few views meet the last, most the first. */
const FILTERS: readonly Condition[][] = [
  [
    { dimension: "browser", operator: "isNot", values: ["Firefox"] },
    { dimension: "path", operator: "contains", values: ["posts"] },
  ],
  [
    { dimension: "country", operator: "is", values: ["ES"] },
    { dimension: "device", operator: "is", values: ["desktop"] },
  ],
  [
    { dimension: "source", operator: "is", values: ["Google"] },
    { dimension: "path", operator: "matches", values: ["/posts/*7"] },
  ],
];

export async function measureFilters(views: number): Promise<Row[]> {
  const data = await dataFolder("footfall", views);
  const engine = await EngineProcess.start(data.path);
  const client = connect(engine.url);
  try {
    const until = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const range = { from: until - RANGE_DAYS * DAY_MS, until };
    const { views: inRange } = await client.query(api.reports.summary, { range });
    const made: { firstMs: number; allMs: number }[] = [];
    for (const filter of FILTERS) made.push(await make(client, { range, filter }));
    const [filter = []] = FILTERS;
    const ratio =
      (await timeOf(client, { range, filter })) / Math.max(1, await timeOf(client, { range }));
    const row = (name: string, value: number, unit: string, target: number | null): Row => {
      return { name, value: Math.round(value * 10) / 10, unit, target };
    };
    const firsts = made.map(({ firstMs }) => firstMs);
    const alls = made.map(({ allMs }) => allMs);
    return [
      row("views in the 30 days of a filter", inRange, "", null),
      row("new filter, two dimensions: first days", percentile(firsts, 0.5), "ms", FIRST_TARGET_MS),
      row("new filter, two dimensions: all days", percentile(alls, 0.5), "ms", ALL_TARGET_MS),
      row("the slowest of the filters: all days", Math.max(...alls), "ms", null),
      row("a made filter's answer, times that without", ratio, "", null),
    ];
  } finally {
    await client.close();
    await engine.stop("SIGKILL");
  }
}

type Asked = { range: { from: number; until: number }; filter?: Condition[] };

async function make(client: ConvexClient, { range, filter = [] }: Asked) {
  const startedAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<{ firstMs: number; allMs: number }>();
  let firstMs: number | null = null;
  const stop = client.onUpdate(
    api.reports.summary,
    { range, filter },
    ({ progress }) => {
      if (progress === undefined || progress.done === 0) return;
      firstMs ??= performance.now() - startedAt;
      if (progress.done === progress.total) {
        resolve({ firstMs, allMs: performance.now() - startedAt });
      }
    },
    reject,
  );
  await client.mutation(api.filters.ask, { range, filter });
  const times = await promise;
  stop();
  return times;
}

/** The median of some answers, each of another range, so that none is a remembered one. */
async function timeOf(client: ConvexClient, { range, filter }: Asked): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ASKED_AGAIN; round += 1) {
    const asked = { from: range.from + round * DAY_MS, until: range.until };
    const startedAt = performance.now();
    await client.query(api.reports.breakdown, {
      ...{ range: asked, dimension: "path" as const },
      ...(filter === undefined ? {} : { filter }),
    });
    times.push(performance.now() - startedAt);
  }
  return percentile(times, 0.5);
}
