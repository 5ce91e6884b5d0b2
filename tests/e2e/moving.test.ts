/** Footfall's own data on its way from one deployment to another with `npx convex export` and `npx convex import`. */
import { cpSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { anyApi } from "convex/server";
import { afterEach, expect, test } from "vitest";
import { silentLog } from "../../engine/logs/engine-log.ts";
import {
  cleanUp,
  onCleanUp,
  push,
  runCli,
  temporaryFolder,
} from "../../engine/server/real-engine.helpers.ts";
import { startEngine, type RunningEngine } from "../../engine/server/start.ts";
import { httpClient, liveClient } from "./footfall.helpers.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const stats = anyApi["stats"]!;

afterEach(cleanUp);

function project(): string {
  const folder = temporaryFolder();
  for (const path of ["package.json", "tsconfig.base.json", "convex", "domain"])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

async function engineWith(folder: string): Promise<RunningEngine> {
  const engine = await startEngine(
    { dataFolder: temporaryFolder(), port: 0, sitePort: 0 },
    silentLog,
  );
  onCleanUp(() => engine.close());
  await push(folder, engine);
  return engine;
}

async function view({ url }: RunningEngine, sessionId: string, path: string): Promise<void> {
  const args = { path, pageType: "page", sessionId };
  const outcome: unknown = await httpClient(url).mutation(stats["recordPageView"]!, args);
  expect(outcome).toEqual({ outcome: "counted" });
}

type Headline = { totalPageViews: number; uniqueVisitors: number; settledAt: number | null };

/** Watches, as an open /stats does, until the worker has settled so many views; resolves with the headline. */
function settled({ url }: RunningEngine, views: number): Promise<Headline> {
  const client = liveClient(url);
  void client.mutation(stats["watch"]!, { watcherId: "watcher-of-the-test" });
  return new Promise((done) => {
    client.onUpdate(stats["getStats"]!, { freshness: "settled" }, (headline: Headline) => {
      if (headline.totalPageViews >= views) done(headline);
    });
  });
}

test("after the move each view is still counted once, and new ones go on from the cursor", async () => {
  const folder = project();
  const source = await engineWith(folder);
  await view(source, "visitor-aaaaaaaa", "/");
  await view(source, "visitor-aaaaaaaa", "/about");
  await view(source, "visitor-bbbbbbbb", "/");
  const before = await settled(source, 3);
  // Not settled yet when it is moved: the cursor stands before it.
  await view(source, "visitor-cccccccc", "/late");
  const zip = join(folder, "snapshot.zip");
  expect(await runCli(folder, source, "export", "--path", zip)).toMatchObject({ code: 0 });

  const target = await engineWith(folder);
  const imported = await runCli(folder, target, "import", "--replace-all", "--yes", zip);
  expect(imported.output).toContain("Added");
  expect(imported.code).toBe(0);
  await view(target, "visitor-dddddddd", "/about");
  const after = await settled(target, 5);
  expect(after).toMatchObject({
    totalPageViews: 5,
    uniqueVisitors: before.uniqueVisitors + 2,
  });
  const instant: unknown = await httpClient(target.url).query(stats["getStats"]!, {});
  expect(instant).toMatchObject({
    totalPageViews: 5,
    pageStats: expect.arrayContaining([
      expect.objectContaining({ path: "/", views: 2 }),
      expect.objectContaining({ path: "/about", views: 2 }),
      expect.objectContaining({ path: "/late", views: 1 }),
    ]) as unknown,
  });
});
