/**
 * Owns: `npm run bench:engine`: the engine's speed and size against its targets, on this machine.
 * Not: each measurement (engine/), what a view costs on Convex (cost.ts), reports (report-speed.ts).
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { removeCopies } from "./engine/data-folder.ts";
import { measureFilters } from "./engine/filters.ts";
import { compareSizes, compareWithOriginal, compareWithRaw } from "./engine/rates.ts";
import { measureDisk, measureStart, soak } from "./engine/resting.ts";
import { measureSubscribers, measureUpdate } from "./engine/subscribers.ts";
import { report } from "./report.ts";
import type { Row } from "./report.ts";

const DEFAULT_TABLE_VIEWS = 1_000_000;
const DEFAULT_SOAK_MINUTES = 10;
/** Above this something else uses a core, and only the ratios mean anything. */
const QUIET_LOAD = 0.7;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    views: { type: "string", default: String(DEFAULT_TABLE_VIEWS) },
    "soak-minutes": { type: "string", default: String(DEFAULT_SOAK_MINUTES) },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const views = Number(values.views);

const PARTS: Readonly<Record<string, () => Promise<Row[]>>> = {
  rate: compareWithOriginal,
  size: () => compareSizes(views),
  raw: compareWithRaw,
  subscribers: measureSubscribers,
  update: measureUpdate,
  filter: () => measureFilters(views),
  start: () => measureStart(views),
  disk: () => measureDisk(views),
  soak: () => soak(views, Number(values["soak-minutes"])),
};

const HELP = `The engine's speed and size against its targets; exits with 1 when one is missed.

  npm run bench:engine [-- --only PART,PART] [--views N] [--soak-minutes M] [--json]

  --only            of: ${Object.keys(PARTS).join(", ")} (default: all)
  --views N         rows of the large table (default: ${DEFAULT_TABLE_VIEWS})
  --soak-minutes M  how long memory is watched under load (default: ${DEFAULT_SOAK_MINUTES})
  --json            one JSON object on the last line
  --help            show this text

Data folders are made once and kept in the system's temporary folder as footfall-bench-*; the large one takes a while.`;

process.exit(values.help ? help() : await main());

function help(): number {
  console.log(HELP);
  return 0;
}

async function main(): Promise<number> {
  const wanted = values.only?.split(",") ?? Object.keys(PARTS);
  const unknown = wanted.filter((name) => !Object.hasOwn(PARTS, name));
  if (unknown.length > 0) {
    console.error(
      `There is no part "${unknown.join(", ")}". Known: ${Object.keys(PARTS).join(", ")}.`,
    );
    return 1;
  }
  const rows: Row[] = [];
  try {
    for (const name of wanted) {
      warnOfLoad();
      rows.push(...((await PARTS[name]?.()) ?? []));
      removeCopies();
    }
  } finally {
    removeCopies();
  }
  return report(rows, values.json);
}

function warnOfLoad(): void {
  const [lastMinute = 0] = loadavg();
  if (lastMinute <= QUIET_LOAD) return;
  console.error(
    `The load average is ${lastMinute.toFixed(1)}: the machine is not quiet, so only ratios mean anything.`,
  );
}
