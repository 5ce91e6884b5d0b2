/**
 * Owns: `npm run bench:million`: a million synthetic views sent to the engine one after the other, at the times at which
 * they happen, with all that Footfall does by itself meanwhile; at the end a recount of every metric finds no drift.
 * Not: how fast reports are (report-speed.ts).
 *
 *   npm run bench:million [-- --views N] [--days N] [--json]
 */
import { DAY_MS } from "../domain/calendar/civil.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { api, internal } from "../convex/_generated/api.js";
import { openSqliteStorage } from "../engine/storage/sqlite.ts";
import { openEngineRuntime } from "../tests/conformance/engine-runtime.ts";
import { pastOf } from "../tests/conformance/past.helpers.ts";
import { siteOn } from "../tests/conformance/site.ts";
import { report } from "./report.ts";
import { Traffic } from "./support/traffic.ts";

const FIRST_VIEW_AT = Date.UTC(2026, 9, 15, 5);
const SITE_ZONE = "Europe/Madrid";
const HITS_PER_WORD = 50_000;
const QUARTER_MS = 15 * 60_000;

const { values } = parseArgs({
  options: {
    views: { type: "string", default: "1000000" },
    days: { type: "string", default: "30" },
    json: { type: "boolean", default: false },
  },
});
const wanted = Number(values.views);
// A file as in use; but nothing here survives a power loss, so nothing waits for the disk.
const folder = mkdtempSync(join(tmpdir(), "footfall-million-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const storage = openSqliteStorage({ path: join(folder, "million.sqlite"), durability: "os" });
const engine = await openEngineRuntime(FIRST_VIEW_AT, storage);
const outcomes = { counted: 0, duplicate: 0, filtered: 0 };
const startedAt = performance.now();
try {
  await engine.mutation(internal.sites.ensureDefault, { timeZone: SITE_ZONE });
  const viewsPerSecond = wanted / (Number(values.days) * (DAY_MS / 1_000));
  const options = { seed: 31, startsAt: FIRST_VIEW_AT, viewsPerSecond, hasDays: true };
  let cronAt = FIRST_VIEW_AT + QUARTER_MS;
  for (const { at, userAgent, ...args } of new Traffic(options).hits()) {
    for (; cronAt <= at; cronAt += QUARTER_MS) await runCrons(cronAt);
    await engine.advance(Math.max(0, at - engine.now()));
    const { outcome } = await engine.mutation(api.stats.recordPageView, args, { userAgent });
    outcomes[outcome] += 1;
    if (hitsOf(outcomes) % HITS_PER_WORD === 0) tellProgress();
    if (outcomes.counted === wanted) break;
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const past = pastOf(siteOn(engine));
  await past.work();
  const { drift, rows: recounted } = await past.verify();
  const { totalPageViews } = await engine.query(api.stats.getStats, { freshness: "settled" });
  const row = (name: string, value: number, target: number | null) => {
    return { name, value: Math.round(value), unit: "", target };
  };
  process.exitCode = report(
    [
      row("views counted", outcomes.counted, null),
      row("duplicates", outcomes.duplicate, null),
      row("bots", outcomes.filtered, null),
      row("hits a second, with the worker, sealing and sweeps", hitsOf(outcomes) / seconds, null),
      row("views that the headline lacks", outcomes.counted - totalPageViews, 0),
      row("views that the recount lacks", outcomes.counted - Number(recounted), 0),
      row("drift that stats:verify finds", drift, 0),
    ],
    values.json,
  );
} finally {
  await engine.close();
}

/** On stderr, so that --json stays JSON. */
function tellProgress(): void {
  const perSecond = hitsOf(outcomes) / ((performance.now() - startedAt) / 1_000);
  const leftMinutes = Math.ceil((wanted - outcomes.counted) / perSecond / 60);
  console.error(
    `${outcomes.counted} of ${wanted} views counted, ${Math.round(perSecond)} hits/s, about ${leftMinutes} min left`,
  );
}

function hitsOf(outcomes: Record<string, number>): number {
  return Object.values(outcomes).reduce((sum, hits) => sum + hits, 0);
}

/** The engine's crons are not started here; every quarter of an hour is often enough. */
async function runCrons(at: number): Promise<void> {
  await engine.advance(Math.max(0, at - engine.now()));
  await engine.mutation(internal.stats.cleanupStaleSessions, {});
  await engine.mutation(internal.worker.wakeOverdue, {});
  await engine.mutation(internal.past.ensureChains, {});
}
