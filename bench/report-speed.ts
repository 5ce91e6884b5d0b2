/**
 * Owns: `npm run bench:report`: how long the reports take in this process, over a year of a million views.
 * Not: whether they are right (npm run bench:million proves that), what they read (bench/cost.ts).
 *
 *   npm run bench:report [-- --views N] [--json]
 */
import { parseArgs } from "node:util";
import { api } from "../convex/_generated/api.js";
import { RANGES, REPORT_NAMES, rangeNamed } from "./footfall/reports.ts";
import type { Range, RangeName, ReportName } from "./footfall/reports.ts";
import { YEAR_SITE, makeYear } from "./footfall/year.ts";
import { percentile, report } from "./report.ts";
import type { Row } from "./report.ts";
import { createEngineRuntime } from "../tests/conformance/engine-runtime.ts";

const DEFAULT_VIEWS = 1_000_000;
const REPORT_ROUNDS = 20;
const WARMING_ROUNDS = 5;
const ROWS_PER_INSERT = 20;

/** At the median; a peer on PostgreSQL needs 28, 165 and 1,222. */
const TARGETS_MS: Record<RangeName, number> = { "24 hours": 10, "30 days": 20, "12 months": 50 };

const { values } = parseArgs({
  options: {
    views: { type: "string", default: String(DEFAULT_VIEWS) },
    json: { type: "boolean", default: false },
  },
});

const year = makeYear(Number(values.views));
const engine = await createEngineRuntime(year.now);
try {
  await engine.insert("sites", [YEAR_SITE]);
  await engine.insert("sealing", [{ site: YEAR_SITE.slug, ...year.sealing }]);
  for (let done = 0; done < year.rollups.length; done += ROWS_PER_INSERT) {
    await engine.insert("rollups", year.rollups.slice(done, done + ROWS_PER_INSERT));
  }
  const rows: Row[] = [{ name: "views", value: year.views, unit: "", target: null }];
  for (const name of RANGES) {
    for (const asked of REPORT_NAMES) rows.push(...(await timed(asked, name)));
  }
  process.exitCode = report(rows, values.json);
} finally {
  await engine.close();
}

/** Each round asks for another range of the same length, so that no answer can be a remembered one. */
async function timed(asked: ReportName, name: RangeName): Promise<Row[]> {
  const times: number[] = [];
  const processorTimes: number[] = [];
  for (let round = -WARMING_ROUNDS; round < REPORT_ROUNDS; round += 1) {
    const { from, until } = rangeNamed(name, year.now);
    const shiftMs = (round + WARMING_ROUNDS) * 3_600_000;
    const range = { from: from - shiftMs, until: until - shiftMs };
    const [startedAt, usedBefore] = [performance.now(), process.cpuUsage()];
    await ask(asked, range);
    if (round < 0) continue;
    times.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(usedBefore);
    processorTimes.push((user + system) / 1_000);
  }
  const row = (what: string, value: number, target: number | null): Row => {
    const rounded = Math.round(value * 100) / 100;
    return { name: `${asked}, ${name}: ${what}`, value: rounded, unit: "ms", target };
  };
  return [
    row("median", percentile(times, 0.5), TARGETS_MS[name]),
    row("p95", percentile(times, 0.95), null),
    row("median of the processor's time, on a busy machine", percentile(processorTimes, 0.5), null),
  ];
}

async function ask(asked: ReportName, range: Range): Promise<unknown> {
  if (asked !== "breakdown") return await engine.query(api.reports[asked], { range });
  return await engine.query(api.reports.breakdown, { range, dimension: "path" });
}
