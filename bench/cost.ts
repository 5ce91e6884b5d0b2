/**
 * Owns: `npm run bench:cost`: what our write path, our reads and the original design's cost on Convex, against the
 * budgets of design.md. The meter is trusted because it first finds the original as expensive as the design measured it.
 * Not: the figures themselves (original/, footfall/), the budgets (cost-rows.ts).
 *
 *   npm run bench:cost [-- --quick] [--json]
 */
import { parseArgs } from "node:util";
import { MINUTE_MS } from "../domain/minutes.ts";
import {
  callRows,
  freePlanRows,
  meterRows,
  originalRows,
  rateRows,
  reportRows,
  watchRows,
} from "./cost-rows.ts";
import {
  measureBusy,
  measureCalls,
  measureDay,
  measureStoredKilobytes,
  measureWatching,
} from "./footfall/figures.ts";
import { measureReports } from "./footfall/reports.ts";
import { DESIGN_SAYS, measureOriginal } from "./original/figures.ts";
import { report } from "./report.ts";
import type { Row } from "./report.ts";

/** Views in the table. */
const TABLE_SIZES = [10, 1_000, 5_000, 100_000];

/** Views per second of a quiet site, and a whole day of it, with its sealing and its proof. */
const QUIET_RATE = [0.02, 1_700] as const;

/** Views per second, and how long is measured of a full hour. */
const BUSY_RATES: readonly (readonly [number, number])[] = [
  [0.2, 50 * MINUTE_MS],
  [2, 10 * MINUTE_MS],
  [20, MINUTE_MS],
];

/** About the rate of a site that fills the free plan, and a day of it. */
const FREE_PLAN_RATE = [0.04, 3_400] as const;

/** Views per second, and how long somebody watches. */
const WATCHED: readonly (readonly [number, number])[] = [
  [2, 5 * MINUTE_MS],
  [20, MINUTE_MS],
  [100, MINUTE_MS / 4],
];

/** Views of the year whose reports are read. */
const YEAR_VIEWS = 250_000;

/** A quick run leaves out what takes longest. */
const QUICK = { tables: 1_000, views: 500, ofTime: 1 / 5, yearViews: 20_000 };

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
console.error = () => undefined;
console.log(values.json ? "" : "Measuring; this takes some minutes.");
const rows: Row[] = [];
/** Also tells whoever waits how far it is. */
function add(...more: readonly Row[]): void {
  rows.push(...more);
  for (const { name, value, unit } of more) process.stderr.write(`${name}: ${value} ${unit}\n`);
}
const isWanted = (views: number): boolean => !values.quick || views <= QUICK.tables;

for (const views of [...DESIGN_SAYS.keys()].filter(isWanted)) {
  const measured = await measureOriginal(views);
  add(...meterRows(views, measured), ...originalRows(views, measured));
}
const tables = TABLE_SIZES.filter(isWanted);
for (const views of tables) add(...callRows(views, await measureCalls(views)));
const { heartbeat } = await measureCalls(10);
const dayOf = ([viewsPerSecond, views]: readonly [number, number]) =>
  measureDay(viewsPerSecond, values.quick ? QUICK.views : views);
const atQuietRate = await dayOf(QUIET_RATE);
add(...rateRows(QUIET_RATE[0], atQuietRate, heartbeat));
const timeOf = (ms: number): number => (values.quick ? ms * QUICK.ofTime : ms);
for (const [viewsPerSecond, ms] of BUSY_RATES) {
  const figures = await measureBusy(viewsPerSecond, timeOf(ms));
  add(...rateRows(viewsPerSecond, figures, heartbeat));
}
const atFreeRate = await dayOf(FREE_PLAN_RATE);
const storedKilobytes = await measureStoredKilobytes();
add(...freePlanRows(atFreeRate, { heartbeat, storedKilobytes }));
for (const [viewsPerSecond, ms] of WATCHED) {
  add(...watchRows(viewsPerSecond, await measureWatching(viewsPerSecond, timeOf(ms))));
}
add(...reportRows(await measureReports(values.quick ? QUICK.yearViews : YEAR_VIEWS)));
process.exitCode = report(rows, values.json);
