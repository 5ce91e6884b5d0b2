/** An operator runs the backfill over rows of the original design, with the official CLI, and things go wrong. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api.js";
import {
  liveClient,
  deployedFolder,
  pushWith,
  removeFolder,
  runInternal,
  startFootfall,
  type Footfall,
} from "./footfall.helpers.ts";

const ROWS = 5_000;
const ROWS_A_CALL = 500;
const SESSIONS = 1_700;
const PATHS = 40;
const START = Date.UTC(2025, 0, 1);
const APART_MS = 61_000;

/** Rows exactly as the original design stores them, in no order of time. */
function originalRow(index: number) {
  const shuffled = (index * 2_741) % ROWS;
  return {
    path: `/post-${(shuffled * shuffled) % PATHS}`,
    pageType: "post",
    sessionId: `session-${(shuffled * 31) % SESSIONS}`,
    timestamp: START + shuffled * APART_MS,
  };
}

const ROWS_OF_ORIGINAL = Array.from({ length: ROWS }, (_, index) => originalRow(index));
const SEED = `import { internalMutation } from "./_generated/server";
import { v } from "convex/values";
const row = v.object({ path: v.string(), pageType: v.string(), sessionId: v.string(), timestamp: v.number() });
export const rows = internalMutation({
  args: { rows: v.array(row) },
  handler: async (ctx, { rows }) => { for (const row of rows) await ctx.db.insert("pageViews", row); },
});`;

let dataFolder: string;
let footfall: Footfall;

beforeEach(async () => {
  dataFolder = deployedFolder("backfill");
  footfall = await startFootfall(dataFolder);
  await pushWith(footfall, { "seed.ts": SEED });
  for (let from = 0; from < ROWS; from += ROWS_A_CALL) {
    await runInternal(footfall, "seed:rows", {
      rows: ROWS_OF_ORIGINAL.slice(from, from + ROWS_A_CALL),
    });
  }
});
afterEach(async () => {
  await footfall.stop();
  removeFolder(dataFolder);
});

async function runBackfill(): Promise<void> {
  const { code, output } = await footfall.cli("run", "stats:backfillAggregates");
  expect(code, output).toBe(0);
}

async function backfillIsDone(): Promise<void> {
  const state = async () => (await footfall.client.query(api.stats.getStats, {})).backfill?.state;
  await expect.poll(state, { timeout: 120_000 }).toBe("done");
}

/** By brute force over the rows themselves. */
async function expectBruteForceNumbers(): Promise<void> {
  const views = new Map<string, number>();
  for (const { path } of ROWS_OF_ORIGINAL) views.set(path, (views.get(path) ?? 0) + 1);
  const stats = await footfall.client.query(api.stats.getStats, {});
  expect(stats).toMatchObject({
    totalPageViews: ROWS,
    uniqueVisitors: new Set(ROWS_OF_ORIGINAL.map(({ sessionId }) => sessionId)).size,
    pagesTotal: views.size,
    activeVisitors: 0,
    atLeast: false,
  });
  await footfall.client.mutation(api.stats.watch, { watcherId: "test" });
  const settledViews = async () => {
    const { pageStats } = await footfall.client.query(api.stats.getStats, { freshness: "settled" });
    return new Map(pageStats.map((page) => [page.path, page.views]));
  };
  await expect.poll(settledViews, { timeout: 60_000 }).toEqual(views);
}

test("npx convex run stats:backfillAggregates gives exactly the brute-force numbers, also when it runs twice at once and again", async () => {
  await Promise.all([runBackfill(), runBackfill()]);
  await backfillIsDone();
  await expectBruteForceNumbers();
  await runBackfill();
  await backfillIsDone();
  await expectBruteForceNumbers();
});

test("a backfill whose engine is killed in the middle goes on after the restart, and none is counted twice", async () => {
  const client = liveClient(footfall.url);
  const { promise: underWay, resolve } = Promise.withResolvers<number>();
  client.onUpdate(api.stats.getStats, {}, ({ backfill }) => {
    if (backfill !== null && backfill.counted > 0) resolve(backfill.counted);
  });
  const command = runBackfill();
  expect(await underWay).toBeLessThan(ROWS);
  await footfall.stop("SIGKILL");
  await Promise.allSettled([command, client.close()]);

  footfall = await startFootfall(dataFolder);
  await runBackfill();
  await backfillIsDone();
  await expectBruteForceNumbers();
});
