/**
 * Owns: data folders with N views, made fast and by the real code where it matters: the log and the visitors' rows are
 * imported as the engine imports a snapshot, then the worker itself counts, rolls up and seals what it finds.
 * Not: keeping the folders for the next run (data-folder.ts).
 *
 * The original design has no worker, so its rows come from its own functions, one call a view.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { convexToJson } from "convex/values";
import type { Value } from "convex/values";
import type { Application } from "../../engine/application.ts";
import { manualClock } from "../../engine/clock.helpers.ts";
import type { ManualClock } from "../../engine/clock.helpers.ts";
import type { JsonDocument } from "../../engine/data-moves.ts";
import { openApplication } from "../../engine/open-application.ts";
import { startScheduler } from "../../engine/scheduler/scheduler.ts";
import { DATABASE_FILE } from "../../engine/storage/sqlite-file.ts";
import { openSqliteStorage } from "../../engine/storage/sqlite.ts";
import { systemClock } from "../../engine/clock.ts";
import { bundleOf } from "./apps.ts";
import type { Design } from "./apps.ts";
import type { Hit } from "../support/traffic.ts";
import { hitsOf } from "./hits.ts";
import { LoggedPast } from "./logged-past.ts";

/** Documents that one transaction of the import writes. */
const IMPORT_BATCH = 500;
/** How often the work on the past is asked whether it is done. */
const ASK_AGAIN_MS = 250;

const AS_ADMIN = { kind: "admin", identity: null } as const;

export type Seed = { design: Design; views: number; startsAt: number };

export async function seed(folder: string, { design, views, startsAt }: Seed): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, DATABASE_FILE);
  const storage = openSqliteStorage({ path, durability: "os" });
  const past = manualClock(startsAt);
  const hasWorker = design === "footfall";
  const clock = hasWorker ? systemClock : past;
  const application = await openApplication({ storage, clock });
  try {
    await (await application.deployments.stage(await bundleOf(design))).activate();
    if (!hasWorker) return await recordAll(application, { design, views }, past);
    await importLog(application, views, startsAt);
    await letItCount(application);
  } finally {
    await application.close();
  }
}

async function recordAll(
  application: Application,
  { design, views }: { design: Design; views: number },
  clock: ManualClock,
): Promise<void> {
  let left = views;
  for (const hit of hitsOf(clock.now())) {
    if (left-- === 0) return;
    clock.jumpTo(hit.at);
    await visit(application, design, hit);
  }
}

async function importLog(application: Application, views: number, startsAt: number): Promise<void> {
  const past = new LoggedPast();
  const importing = application.moves.beginImport("append");
  const into = async (name: string, rows: Iterable<JsonDocument>) => {
    const table = { componentPath: "", name };
    await importing.addTable(table, null);
    let batch: JsonDocument[] = [];
    for (const row of rows) {
      if (batch.push(row) < IMPORT_BATCH) continue;
      await importing.insert(table, batch);
      batch = [];
    }
    await importing.insert(table, batch);
  };
  await into("pageViews", past.views(views, startsAt));
  await into("visitors", past.visitors());
  await importing.finish();
}

/** The worker settles and rolls up the log; then the days that are over are sealed and published. */
async function letItCount(application: Application): Promise<void> {
  const problems: unknown[] = [];
  const scheduler = await startScheduler(application, systemClock, (_what, error) =>
    problems.push(error),
  );
  for (;;) {
    const outcome = await call(application, "stats:settle", {});
    if ((outcome as { isSettled: boolean }).isSettled) break;
  }
  await call(application, "past:ensureChains", {});
  while (application.scheduled.due(systemClock.now() + 60_000, 1).jobs.length > 0) {
    await pause(ASK_AGAIN_MS);
  }
  await scheduler.stop();
  if (problems.length > 0) throw new AggregateError(problems, "The seeded past was not counted.");
}

/** One view, without a websocket. */
export async function visit(
  application: Application,
  design: Design,
  { at: _at, userAgent: _userAgent, ...view }: Hit,
): Promise<void> {
  const { path, pageType, sessionId } = view;
  const args = design === "footfall" ? view : { path, pageType, sessionId };
  await call(application, "stats:recordPageView", args);
}

async function call(
  application: Application,
  path: string,
  args: Record<string, Value>,
): Promise<unknown> {
  const request = { requestId: "bench", ip: null, userAgent: null };
  const argsJson = JSON.stringify(convexToJson(args));
  const options = { caller: AS_ADMIN, request };
  const result = await application.mutation({ componentPath: "", path }, argsJson, options);
  if (!result.ok) throw new Error(`${path} failed: ${result.message}`);
  return JSON.parse(result.value) as unknown;
}
