/**
 * Owns: `npm run pictures`: photographs of the pages in all their states into pictures/, for whoever wants to look.
 * Not: judging them.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { startEngine } from "../engine/index.ts";
import type { Engine } from "./embedded/env-file.ts";
import { pushFunctions, writeCliEnvFile } from "./embedded/push.ts";
import { buildSite, SITE_FOLDER } from "./embedded/site.ts";
import * as looks from "./camera/camera.ts";
import {
  openCamera,
  openPage,
  PICTURES_FOLDER,
  seeAll,
  takePicture,
  type Look,
} from "./camera/camera.ts";
import { callInternal, seedOldRows, startBackfill } from "./camera/old-rows.ts";
import { beatFor, moveClock, SEEDED_MS, seedVisits } from "./camera/visits.ts";
import { endAll } from "./processes.ts";
import { syncContent } from "./sync-content.ts";

/** Stand on the page when it has what it shows. */
const TEXT = ".prose, .posts-title, .page-title";
const NUMBERS = "[data-stat=totalPageViews]";
const CHECKED = "[data-step=view] .help-fix";
const FIRST_ROW = ".rows-pages [data-row]";

/** All days of the filter are counted. */
const FILTERED = ".filter-note:not(:has(progress))";
const TWO_CONDITIONS = "filter=browser:is:Chrome;path:matches:/posts/*";

type Shot = readonly [name: string, path: string, looks: readonly Look[], sign: string];

const WIDE_AND_PHONE = [looks.WIDE_LIGHT, looks.PHONE_LIGHT];

const SITE: readonly Shot[] = [
  ["home", "/", [looks.WIDE_LIGHT, looks.WIDE_DARK, looks.PHONE_LIGHT], ".posts-title"],
  ["posts", "/posts", [looks.TABLET_LIGHT, looks.PHONE_DARK], ".posts-title"],
  ["post", "/posts/how-footfall-counts", [...WIDE_AND_PHONE, looks.WIDE_DARK], TEXT],
  ["post-install", "/posts/install-footfall", WIDE_AND_PHONE, TEXT],
  ["post-stores", "/posts/what-footfall-stores", [looks.TABLET_LIGHT], TEXT],
  ["privacy", "/privacy", WIDE_AND_PHONE, TEXT],
  ["missing", "/no/such-page", WIDE_AND_PHONE, TEXT],
  ["help", "/help", [...WIDE_AND_PHONE, looks.PHONE_DARK], CHECKED],
];

async function takeShots(camera: Browser, { url }: StoppableEngine, shots: readonly Shot[]) {
  for (const [name, path, inLooks, sign] of shots) {
    for (const look of inLooks) {
      await takePicture(await openPage(camera, `${url}${path}`, look), name, look, sign);
    }
  }
}

/** The first look wakes the worker and the sweep, which have weeks to catch up with. */
async function untilSettled(camera: Browser, { url }: Engine): Promise<void> {
  const page = await openPage(camera, `${url}/stats`, looks.WIDE_LIGHT);
  const settled = page.locator("[data-stat=activeVisitors]", { hasText: /^\d\d$/ });
  await settled.waitFor({ timeout: 60_000 });
  await page.waitForFunction(listsAddUp, null, { timeout: 60_000 });
  await page.context().close();
}

/** In the page: the lists follow the headline by some seconds, and have reached it when they say as many people. */
function listsAddUp(): boolean {
  const number = (element: Element | null): number => Number(element?.textContent ?? NaN);
  const people = [...document.querySelectorAll(".on-page td.number")].map(number);
  const online = number(document.querySelector("[data-stat=activeVisitors]"));
  return people.reduce((sum, count) => sum + count, 0) === online;
}

type StoppableEngine = Engine & { close(): Promise<void> };

async function withFootfall(work: (engine: StoppableEngine) => Promise<void>): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), "footfall-pictures-"));
  // A copy: a build that somebody starts meanwhile empties the folder first.
  const siteFolder = join(dataFolder, "site");
  cpSync(SITE_FOLDER, siteFolder, { recursive: true });
  const running = await startEngine({ dataFolder, port: 0, sitePort: 0, siteFolder });
  const engine = { ...running, dataFolder };
  try {
    writeCliEnvFile(engine);
    await pushFunctions(engine);
    await syncContent(engine);
    await work(engine);
  } finally {
    await running.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/** Loading and disconnected are how the same pages look when the server does not answer, and no longer answers. */
async function takeDisconnected(camera: Browser, engine: StoppableEngine): Promise<void> {
  const inLooks = [looks.WIDE_LIGHT, looks.WIDE_DARK, looks.PHONE_LIGHT];
  for (const look of inLooks) {
    const page = await openPage(camera, `${engine.url}/stats`, look, { isCutOff: true });
    await takePicture(page, "stats-loading", look, ".skeleton");
  }
  const pages = await Promise.all(
    inLooks.map(async (look) => ({
      look,
      page: await openPage(camera, `${engine.url}/stats`, look),
    })),
  );
  for (const { page } of pages) {
    await page.locator(FIRST_ROW).first().waitFor();
    await seeAll(page);
  }
  await engine.close();
  for (const { page, look } of pages) await takePicture(page, "stats-disconnected", look, ".strip");
}

/** What a link shows that is of one segment alone. */
async function takeSegment(camera: Browser, engine: StoppableEngine): Promise<void> {
  const name = "Readers of posts";
  await callInternal(engine, "segments:add", { name, filter: "path:matches:/posts/*" });
  const made = await callInternal(engine, "tokens:create", { segment: name });
  const { token } = made as { token: string };
  await takeShots(camera, engine, [
    ["stats-segment", `/share/default#token=${token}`, looks.ALL_LOOKS, FILTERED],
  ]);
}

/** All values of a list, in the window over the page. */
async function takeDialog(camera: Browser, { url }: StoppableEngine): Promise<void> {
  for (const look of [...WIDE_AND_PHONE, looks.WIDE_DARK]) {
    const page = await openPage(camera, `${url}/stats?period=28d`, look);
    await page.locator(".sheet-panels [aria-haspopup=dialog]").first().click();
    await takePicture(page, "stats-all-values", look, ".all-rows [data-row]");
  }
}

/** Before anything was counted, and while what came before is. */
async function takeBeginnings(camera: Browser, engine: StoppableEngine): Promise<void> {
  const empty = [looks.WIDE_LIGHT, looks.WIDE_DARK, looks.TABLET_LIGHT, looks.PHONE_LIGHT];
  await takeShots(camera, engine, [["stats-empty", "/stats", empty, NUMBERS], ...SITE]);
  await seedOldRows(engine);
  const inLooks = [looks.WIDE_LIGHT, looks.PHONE_LIGHT, looks.PHONE_DARK];
  const pages = await Promise.all(
    inLooks.map(async (look) => ({
      look,
      page: await openPage(camera, `${engine.url}/stats`, look),
    })),
  );
  for (const { page } of pages) await page.locator(NUMBERS).waitFor();
  await startBackfill(engine);
  const underWay = ".progress:not([aria-valuenow='0'])";
  for (const { page, look } of pages) await takePicture(page, "stats-backfill", look, underWay);
}

async function main(): Promise<void> {
  rmSync(PICTURES_FOLDER, { recursive: true, force: true });
  mkdirSync(PICTURES_FOLDER);
  await buildSite();
  const camera = await openCamera();
  try {
    await withFootfall((engine) => takeBeginnings(camera, engine));
    // An engine's time never runs backwards, so what is to lie in the past begins there.
    moveClock(-SEEDED_MS);
    await withFootfall(async (engine) => {
      const guests = await seedVisits(engine.url);
      await untilSettled(camera, engine);
      await beatFor(guests, engine.url);
      await callInternal(engine, "annotations:add", { text: "Version 2 is out" });
      await takeShots(camera, engine, [
        ["stats", "/stats", looks.ALL_LOOKS, FIRST_ROW],
        [
          "stats-filter",
          `/stats?${TWO_CONDITIONS}`,
          [...WIDE_AND_PHONE, looks.WIDE_DARK],
          FILTERED,
        ],
        ["stats-shared", "/share/default", [looks.WIDE_LIGHT, looks.PHONE_DARK], FIRST_ROW],
      ]);
      await takeSegment(camera, engine);
      await takeDialog(camera, engine);
      await beatFor(guests, engine.url);
      await takeDisconnected(camera, engine);
    });
  } finally {
    await camera.close();
    await endAll();
  }
}

await main();
