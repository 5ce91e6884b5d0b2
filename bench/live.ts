/**
 * Owns: `npm run bench:live`: how long a view, a move and a goodbye take until they stand on an open /stats, in a real
 * browser against a real engine on this machine.
 * Not: whether the numbers are right (tests/e2e).
 *
 *   npm run bench:live [-- --rounds N] [--json]
 */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { WATCHED_WORKER_DELAY_MS } from "../domain/intervals.ts";
import { endChildrenOnExit } from "../scripts/processes.ts";
import { launchBrowser, newVisitor } from "../tests/e2e/browser.helpers.ts";
import { newFolder, removeFolder, startFootfall } from "../tests/e2e/footfall.helpers.ts";
import { percentile, report, type Row } from "./report.ts";

const DEFAULT_ROUNDS = 30;

/** On a quiet machine; the promise of the main job. */
const P95_TARGET_MS = 250;
const MAX_TARGET_MS = 1_000;

/** The worker paces itself while somebody watches; a change that comes after a pause is what is measured. */
const BETWEEN_CHANGES_MS = WATCHED_WORKER_DELAY_MS + 500;

type Measured = { shown: number[]; moved: number[]; dropped: number[] };

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: String(DEFAULT_ROUNDS) },
    json: { type: "boolean", default: false },
  },
});
endChildrenOnExit();
const dataFolder = newFolder("bench-live");
const [footfall, browser] = await Promise.all([startFootfall(dataFolder), launchBrowser()]);
try {
  const measured = await measure(browser, footfall.url, Number(values.rounds));
  const rows = [
    ...rowsOf("a view shows on /stats", measured.shown),
    ...rowsOf("a change of page shows on /stats", measured.moved),
    ...rowsOf("closing the page drops active now", measured.dropped),
  ];
  process.exitCode = report(rows, values.json);
} finally {
  await browser.close();
  await footfall.stop();
  removeFolder(dataFolder);
}

async function measure(browser: Browser, url: string, rounds: number): Promise<Measured> {
  const stats = await (await newVisitor(browser)).context.newPage();
  await stats.goto(`${url}/stats`);
  await stats.locator("[data-stat=totalPageViews]", { hasText: /^1$/ }).waitFor();
  const measured: Measured = { shown: [], moved: [], dropped: [] };
  for (let round = 0; round < rounds; round += 1) {
    const page = await (await newVisitor(browser)).context.newPage();
    const nextView = watchViews(page);
    measured.shown.push(await timeOf(stats, "activeVisitors", nextView(), () => page.goto(url)));
    await pause(BETWEEN_CHANGES_MS);
    const posts = page.getByRole("link", { name: "Posts" });
    measured.moved.push(await timeOf(stats, "totalPageViews", nextView(), () => posts.click()));
    await pause(BETWEEN_CHANGES_MS);
    measured.dropped.push(await timeOf(stats, "activeVisitors", null, () => page.close()));
    await page.context().close();
    await pause(BETWEEN_CHANGES_MS);
  }
  return measured;
}

/** The way to ask when the page sends its next view: how long it takes to load or to draw is not ours to measure. */
function watchViews(page: Page): () => Promise<number> {
  let sent = Promise.withResolvers<number>();
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => {
      if (payload.toString().includes("stats:recordPageView")) sent.resolve(Date.now());
    });
  });
  return () => {
    sent = Promise.withResolvers<number>();
    return sent.promise;
  };
}

/** Milliseconds from `from`, or else from the beginning of `act`, until the number `stat` of /stats changes. */
async function timeOf(
  stats: Page,
  stat: string,
  from: Promise<number> | null,
  act: () => Promise<unknown>,
): Promise<number> {
  const changed = stats.evaluate((name) => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const element = document.querySelector(`[data-stat=${name}]`);
    if (element === null) throw new Error(`/stats shows no ${name}.`);
    const before = element.textContent;
    const observer = new MutationObserver(() => {
      if (element.textContent === before) return;
      observer.disconnect();
      resolve(Date.now());
    });
    observer.observe(element, { subtree: true, childList: true, characterData: true });
    return promise;
  }, stat);
  const begunAt = Date.now();
  await act();
  return (await changed) - ((await from) ?? begunAt);
}

function rowsOf(name: string, times: readonly number[]): Row[] {
  const row = (what: string, share: number, target: number | null): Row => {
    return { name: `${name}, ${what}`, value: percentile(times, share), unit: "ms", target };
  };
  return [
    row("median", 0.5, null),
    row("p95", 0.95, P95_TARGET_MS),
    row("slowest", 1, MAX_TARGET_MS),
  ];
}
