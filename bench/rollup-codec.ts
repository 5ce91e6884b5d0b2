/**
 * Owns: how long packing, unpacking and adding up roll-ups takes, and how large they are. Medians.
 * Run: node bench/rollup-codec.ts [--json]
 */
import { calendarOf } from "../domain/calendar/calendar.ts";
import { DAY_MS, HOUR_MS } from "../domain/calendar/civil.ts";
import { decode, encode } from "../domain/rollups/codec.ts";
import { breakdown, summarise } from "../domain/rollups/report.ts";
import { type Rollup, emptyRollup } from "../domain/rollups/rollup.ts";
import { seal } from "../domain/rollups/seal.ts";
import { type LoggedView, addViews } from "../domain/rollups/view.ts";
import { factsOf } from "../domain/rollups/visit.ts";

const START = Date.UTC(2026, 0, 1);
const calendar = calendarOf("Europe/Madrid");
const VALUES_OF_DIMENSION = [1, 40, 60, 30, 8, 5, 4, 12, 1, 1, 6, 25, 5, 10, 3, 5, 15, 20, 25];

/** A fixed sequence: the same figures on every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = createRandom(7);
const zipf = (count: number): number => Math.floor(count ** random()) - 1;

function viewAt(at: number, paths: number): LoggedView {
  const path = `/posts/a-title-of-usual-length-${zipf(paths)}`;
  const returning = random() < 0.4;
  const lastSeenAt = returning ? at - Math.floor(random() ** 3 * 60 * DAY_MS) - DAY_MS : null;
  const before = lastSeenAt === null ? null : { lastSeenAt, lastPath: "/", visitSequence: 1 };
  const names = [
    "pageType referrerHost referrer source channel utmSource utmMedium utmCampaign utmTerm utmContent",
    "browser browserVersion system systemVersion device screen language timeZone country",
  ];
  const values = Object.fromEntries(
    names
      .join(" ")
      .split(" ")
      .map((name, index) => [name, `${name}-${zipf(VALUES_OF_DIMENSION[index] ?? 1)}`]),
  );
  return { ...factsOf(before, lastSeenAt, at), at, path, values };
}

function hourOf(startsAt: number, views: number, paths: number): Rollup {
  const logged = Array.from({ length: views }, () => viewAt(startsAt + 1, paths));
  return addViews(emptyRollup("hour", startsAt), logged, calendar);
}

function medianMs(run: () => void, rounds = 60): number {
  for (let warmUp = 0; warmUp < 30; warmUp++) run();
  const times = Array.from({ length: rounds }, () => {
    const startedAt = performance.now();
    run();
    return performance.now() - startedAt;
  }).sort((a, b) => a - b);
  return times[Math.floor(rounds / 2)] ?? 0;
}

interface BenchRow {
  name: string;
  value: number;
  unit: string;
  target: number | null;
  ok: boolean;
}

const rows: BenchRow[] = [];
function row(name: string, value: number, unit: string, target: number | null = null): void {
  const shown = Math.round(value * 1_000) / 1_000;
  rows.push({ name, value: shown, unit, target, ok: target === null || value <= target });
}

const typical = hourOf(START, 2_000, 400);
const packed = encode(typical);
row("paths in a typical hour", typical.dimensions.get("path")?.cells.size ?? 0, "paths");
row("a typical hour, packed", packed.byteLength, "bytes", 128 * 1_024);
row("a quiet hour of one view, packed", encode(hourOf(START, 1, 400)).byteLength, "bytes");
row(
  "encode a typical hour",
  medianMs(() => encode(typical)),
  "ms",
  3,
);
row(
  "decode a typical hour",
  medianMs(() => decode(packed)),
  "ms",
  1,
);
const wanted = new Set(["country"] as const);
row(
  "decode one dimension of it",
  medianMs(() => decode(packed, wanted)),
  "ms",
  0.5,
);
const batch = Array.from({ length: 500 }, () => viewAt(START + 1, 400));
row(
  "add 500 views to it",
  medianMs(() => addViews(typical, batch, calendar)),
  "ms",
  20,
);

const days = Array.from({ length: 30 }, (_, day) => {
  const startsAt = calendar.startOf("day", START + day * DAY_MS + 12 * HOUR_MS);
  const hours = Array.from({ length: 24 }, (_, hour) =>
    hourOf(startsAt + hour * HOUR_MS, 114, 400),
  );
  return seal("day", startsAt, hours, calendar);
});
const monthStart = calendar.startOf("month", START + DAY_MS);
const month = seal("month", monthStart, days, calendar);
const packedDays = days.map((day) => encode(day));
const packedMonth = encode(month);
row("a day of 2,700 views, packed", packedDays[0]?.byteLength ?? 0, "bytes", 128 * 1_024);
row("a month of 82,000 views, packed", packedMonth.byteLength, "bytes");
row(
  "seal a month of 30 days",
  medianMs(() => seal("month", monthStart, days, calendar), 20),
  "ms",
);

const none = new Set<never>();
row(
  "summary of 30 days from bytes",
  medianMs(() =>
    summarise(
      packedDays.map((bytes) => decode(bytes, none)),
      monthStart,
    ),
  ),
  "ms",
  20,
);
const request = { dimension: "path", from: monthStart, rankBy: "visitors", maxRows: 50 } as const;
const paths = new Set(["path"] as const);
row(
  "breakdown by path of 30 days from bytes",
  medianMs(() =>
    breakdown(
      packedDays.map((bytes) => decode(bytes, paths)),
      request,
      calendar,
    ),
  ),
  "ms",
  20,
);
row(
  "breakdown by path of 12 months from bytes",
  medianMs(() => {
    const months = Array.from({ length: 12 }, () => decode(packedMonth, paths));
    breakdown(months, request, calendar);
  }, 20),
  "ms",
  50,
);

if (process.argv.includes("--json")) console.log(JSON.stringify({ rows }));
else console.table(rows);
if (rows.some((measured) => !measured.ok)) process.exitCode = 1;
