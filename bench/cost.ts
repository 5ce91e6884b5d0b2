/**
 * Owns: `npm run bench:cost`: what our write path, our reads and the original design's cost on Convex, against the
 * budgets of design.md. The meter is trusted because it first finds the original as expensive as the design measured it.
 * Not: the figures themselves (original/, footfall/), the budgets (cost-rows.ts).
 *
 *   npm run bench:cost [-- --quick] [--json]
 */
import { parseArgs } from "node:util";
import {
  callRows,
  freePlanRow,
  meterRows,
  originalRows,
  rateRows,
  reportRows,
  watchRows,
} from "./cost-rows.ts";
import {
  measureCalls,
  measureRate,
  measureStoredKilobytes,
  measureWatching,
} from "./footfall/figures.ts";
import type { RateFigures } from "./footfall/figures.ts";
import { measureReports } from "./footfall/reports.ts";
import { DESIGN_SAYS, measureOriginal } from "./original/figures.ts";
import { report } from "./report.ts";
import type { Row } from "./report.ts";

/** Views in the table. */
const TABLE_SIZES = [10, 1_000, 5_000, 100_000];

/** Views per second, and how many are measured: at the slowest a whole day, with its sealing and its proof. */
const RATES: readonly (readonly [number, number])[] = [
  [0.02, 1_700],
  [0.2, 600],
  [2, 1_200],
  [20, 2_500],
];

/** About the rate of a site that fills the free plan, and a day of it. */
const FREE_PLAN_RATE = [0.04, 3_400] as const;

/** Views per second, and how long somebody watches. */
const WATCHED: readonly (readonly [number, number])[] = [
  [2, 60_000],
  [20, 30_000],
  [100, 10_000],
];

/** Views of the year whose reports are read. */
const YEAR_VIEWS = 250_000;

/** A quick run leaves out what takes longest. */
const QUICK = { tables: 1_000, views: 500, yearViews: 20_000 };

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
console.error = () => undefined;
console.log(values.json ? "" : "Measuring; this takes some minutes.");
const rows: Row[] = [];
const isWanted = (views: number): boolean => !values.quick || views <= QUICK.tables;

for (const views of [...DESIGN_SAYS.keys()].filter(isWanted)) {
  const measured = await measureOriginal(views);
  rows.push(...meterRows(views, measured), ...originalRows(views, measured));
}
const tables = TABLE_SIZES.filter(isWanted);
for (const views of tables) rows.push(...callRows(views, await measureCalls(views)));
const { heartbeat } = await measureCalls(10);
const atRates = new Map<number, RateFigures>();
for (const [viewsPerSecond, most] of RATES) {
  const views = values.quick ? Math.min(most, QUICK.views) : most;
  const figures = await measureRate(viewsPerSecond, views);
  atRates.set(viewsPerSecond, figures);
  rows.push(...rateRows(viewsPerSecond, figures, heartbeat));
}
const [freeRate, freeViews] = FREE_PLAN_RATE;
const atFreeRate = await measureRate(freeRate, values.quick ? QUICK.views : freeViews);
const storedKilobytes = await measureStoredKilobytes();
rows.push(freePlanRow(atFreeRate, { heartbeat, storedKilobytes }));
for (const [viewsPerSecond, ms] of WATCHED) {
  const unwatched = atRates.get(viewsPerSecond) ?? (await measureRate(viewsPerSecond, QUICK.views));
  const { afterKilobytesPerView } = unwatched;
  const options = { ms, afterKilobytesPerView };
  rows.push(...watchRows(viewsPerSecond, await measureWatching(viewsPerSecond, options)));
}
rows.push(...reportRows(await measureReports(values.quick ? QUICK.yearViews : YEAR_VIEWS)));
process.exitCode = report(rows, values.json);
