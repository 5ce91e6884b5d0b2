/** The script tag on the pages of tests/e2e/pages/, in a real browser: what it must send, and nothing else. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { api } from "../../convex/_generated/api.js";
import { HEARTBEAT_INTERVAL_MS } from "../../domain/intervals.ts";
import { ROOT } from "../../scripts/checkout.ts";
import { TAKEOVER_STEP_MS } from "../../src/tracking/tabs.ts";
import { launchBrowser, newVisitor, type Visitor } from "./browser.helpers.ts";
import { deployedFolder, removeFolder, startFootfall, type Footfall } from "./footfall.helpers.ts";
import { call, serveScriptPages, type Received, type ScriptPages } from "./script-pages.helpers.ts";

const dataFolder = deployedFolder("script");
let browser: Browser;
let footfall: Footfall;
let pages: ScriptPages;
let reader: Visitor;

beforeAll(async () => {
  [browser, footfall] = await Promise.all([
    launchBrowser({ withBackForwardCache: true }),
    startFootfall(dataFolder),
  ]);
});
afterAll(async () => {
  await browser.close();
  await footfall.stop();
  removeFolder(dataFolder);
});
beforeEach(async () => {
  [reader, pages] = await Promise.all([newVisitor(browser), serveScriptPages()]);
});
afterEach(async () => {
  expect(reader.complaints).toEqual([]);
  await reader.context.close();
  await pages.stop();
});

async function open(path: string): Promise<Page> {
  const page = await reader.newPage();
  await page.goto(pages.url + path);
  return page;
}

/** What stats.example would answer if it were this Footfall. */
async function answerFromFootfall(route: Route): Promise<void> {
  const request = route.request();
  const { pathname, search } = new URL(request.url());
  const answer = await fetch(`${footfall.url}${pathname}${search}`, {
    method: request.method(),
    headers: await request.allHeaders(),
    body: request.postData(),
  });
  const headers = Object.fromEntries(answer.headers);
  // A page that has gone by now takes no answer.
  await route
    .fulfill({ status: answer.status, headers, body: await answer.text() })
    .catch(() => {});
}

/** What the browser keeps for the page's origin. */
async function keptKeys(page: Page): Promise<string[]> {
  return await page.evaluate(() => Object.keys(localStorage).sort());
}

test("README's three lines, word for word: a page of another origin is counted, and online", async () => {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8");
  const [, snippet = ""] = /^## Install on your site\n+```html\n(.*?)```/ms.exec(readme) ?? [];
  expect(snippet.trimEnd().split("\n")).toHaveLength(3);
  const html = `<!doctype html><title>A blog</title><head>${snippet}</head><p>Hello`;
  await reader.context.route("https://blog.example/**", (route) =>
    route.fulfill({ contentType: "text/html", body: html }),
  );
  await reader.context.route("https://stats.example/**", (route) => answerFromFootfall(route));
  const stats = async () => {
    const { activeVisitors, pageStats } = await footfall.client.query(api.stats.getStats, {});
    return {
      activeVisitors,
      pages: pageStats.map(({ path, title, views }) => [path, title, views]),
    };
  };
  const page = await reader.newPage();
  await page.goto("https://blog.example/first?utm_source=x");
  await expect.poll(stats).toEqual({ activeVisitors: 1, pages: [["/first", "A blog", 1]] });
});

test("a plain page: a view as text/plain without cookies, then beats, then a leave", async () => {
  await reader.context.addCookies([{ name: "own", value: "1", url: pages.url }]);
  const page = await reader.newPage();
  await page.clock.install();
  await page.goto(`${pages.url}/plain?q=1#part`);
  await pages.expectHits("view /plain");
  const [{ hit, headers, url }] = pages.received as [Received];
  expect(url).toBe("/e");
  expect(headers).toMatchObject({ "content-type": "text/plain;charset=UTF-8" });
  expect(headers).not.toHaveProperty("cookie");
  const { sessionId, eventId, timeZone, ...said } = hit;
  for (const id of [sessionId, eventId]) expect(id).toMatch(/^[0-9a-z]{6,13}$/);
  expect(timeZone).toMatch(/./);
  expect(said).toEqual({
    ...{ kind: "view", path: "/plain", title: "A plain page", referrer: "", query: "?q=1" },
    screenWidth: 1280,
  });
  await page.clock.runFor(HEARTBEAT_INTERVAL_MS);
  await pages.expectHits("view /plain", "beat /plain");
  await page.goto("about:blank");
  await pages.expectHits("view /plain", "beat /plain", "leave /plain");
  expect(pages.hits()[2]).toEqual({ kind: "leave", path: "/plain", sessionId, eventId });
});

test("C03: a history router: a view for a new path, with its title; none for a query, a hash or the same path", async () => {
  const page = await open("/history/list");
  await pages.expectHits("view /history/list");
  await page.evaluate(() => {
    for (let q = 1; q <= 8; q += 1) history.replaceState(null, "", `?q=${q}`);
    location.hash = "part";
    history.pushState(null, "", "/history/list");
  });
  await call(page, "go", "/history/post", "Post");
  await pages.expectHits("view /history/list", "view /history/post");
  expect(pages.hits()[1]).toMatchObject({ title: "Post", referrer: pages.url });
  await page.goBack();
  await pages.expectHits("view /history/list", "view /history/post", "view /history/list");
});

test("C04: a hash router: each hash is a page, and Back is one view though two events tell of it", async () => {
  const page = await open("/hash");
  await page.evaluate(() => (location.hash = "#tab"));
  await pages.expectHits("view /hash", "view /hash/tab");
  await page.goBack();
  await pages.expectHits("view /hash", "view /hash/tab", "view /hash");
  await page.evaluate(() => (location.hash = "#/users/7"));
  await pages.expectHits(...["view /hash", "view /hash/tab", "view /hash", "view /hash/users/7"]);
});

test("C12: a sandboxed frame, where storage throws, is counted; a frame without an address is not", async () => {
  const page = await open("/frame");
  await pages.expectHits("view /plain");
  expect(page.frames()).toHaveLength(3);
});

test("C19: under a policy of nonces and strict-dynamic, the tag with its nonce is all that is needed, also under another name", async () => {
  await open("/policy");
  await pages.expectHits("view /policy");
  expect(pages.received[0]?.url).toBe("/a/e");
});

test("C07: a page that is rendered ahead of time counts when it is shown, not before", async () => {
  const page = await open("/before");
  const ahead = () => [...pages.renderedAhead];
  await expect.poll(ahead).toEqual(["/plain"]);
  expect(pages.received).toEqual([]);
  await page.getByRole("link").click();
  await pages.expectHits("view /plain");
});

test("C06: the script keeps no page out of the back/forward cache, and a page that is back is a view again", async () => {
  const page = await open("/plain/a");
  await pages.expectHits("view /plain/a");
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.goto(`${pages.url}/plain/b`);
  await pages.expectHits("view /plain/a", "leave /plain/a", "view /plain/b");
  await page.goBack({ waitUntil: "commit" });
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
  await expect.poll(() => pages.hits().at(-1)).toMatchObject({ kind: "view", path: "/plain/a" });
});

test("C17, C16: offline, hits wait in their order; online again, each is sent once, and again under its id when the server failed", async () => {
  const page = await open("/history/0");
  await pages.expectHits("view /history/0");
  await reader.context.setOffline(true);
  for (const path of ["/history/1", "/history/2", "/history/3"]) {
    await call(page, "go", path, path);
    await page.waitForFunction(
      (at) => localStorage.getItem("footfall_hits")?.includes(`"${at}"`),
      path,
    );
  }
  await reader.context.setOffline(false);
  const sent = ["view /history/0", "view /history/1", "view /history/2", "view /history/3"];
  await pages.expectHits(...sent);
  pages.failNext(1);
  await call(page, "go", "/history/4", "4");
  await pages.expectHits(...sent, "view /history/4");
  await call(page, "go", "/history/5", "5");
  await pages.expectHits(...sent, "view /history/4", "view /history/4", "view /history/5");
  const eventIds = pages.hits().map(({ eventId }) => eventId);
  expect(new Set(eventIds).size).toBe(6);
  expect(eventIds[5]).toBe(eventIds[4]);
  // A hit leaves the store when its answer is read, which is after it has arrived.
  await page.waitForFunction(() => localStorage.getItem("footfall_hits") === "");
  reader.complaints.splice(0);
});

test("C57: a tab that stays says where the reader is when another is closed", async () => {
  const first = await reader.newPage();
  await first.clock.install();
  await first.goto(`${pages.url}/plain/a`);
  await pages.expectHits("view /plain/a");
  const second = await open("/plain/b");
  await pages.expectHits("view /plain/a", "view /plain/b");
  await second.close({ runBeforeUnload: true });
  await pages.expectHits("view /plain/a", "view /plain/b", "leave /plain/b");
  await first.clock.runFor(2 * TAKEOVER_STEP_MS);
  await pages.expectHits("view /plain/a", "view /plain/b", "leave /plain/b", "beat /plain/a");
  expect(new Set(pages.hits().map(({ sessionId }) => sessionId)).size).toBe(1);
});

test("a module, which has no tag, does nothing; who has opted out sends nothing, and nothing but the flag is kept", async () => {
  const page = await open("/module");
  expect(await keptKeys(page)).toEqual([]);
  await page.evaluate(() => (localStorage["footfall_opt_out"] = "1"));
  await page.goto(`${pages.url}/history/a`);
  await call(page, "go", "/history/b", "b");
  await page.clock.install();
  await page.clock.runFor(HEARTBEAT_INTERVAL_MS);
  expect(await keptKeys(page)).toEqual(["footfall_opt_out"]);
  await page.goto("about:blank");
  expect(pages.received).toEqual([]);
});

test("Do Not Track, Global Privacy Control: each view is counted under an id of its own, and nothing is kept", async () => {
  for (const name of ["doNotTrack", "globalPrivacyControl"]) {
    const page = await reader.newPage();
    await page.addInitScript(
      (name) => Object.defineProperty(navigator, name, { value: "1" }),
      name,
    );
    await page.goto(`${pages.url}/history/a`);
    await call(page, "go", "/history/b", "b");
    await expect.poll(() => pages.hits().at(-1)?.path).toBe("/history/b");
    expect(await keptKeys(page)).toEqual([]);
    await page.goto("about:blank");
    await pages.expectHits("view /history/a", "view /history/b", "leave /history/b");
    const ids = pages.received.splice(0).map(({ hit }) => hit.sessionId);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test("a tag that says the site tells visitors apart by day: nothing is kept, not even of another day, and beats go on", async () => {
  const page = await reader.newPage();
  await page.clock.install();
  await page.goto(`${pages.url}/daily`);
  await pages.expectHits("view /daily");
  await page.clock.runFor(HEARTBEAT_INTERVAL_MS);
  expect(await keptKeys(page)).toEqual([]);
  await page.goto("about:blank");
  await pages.expectHits("view /daily", "beat /daily", "leave /daily");
  pages.received.splice(0);
});

test("the core alone: a site and an address of the page's choice, beats, a leave, and no second try", async () => {
  const page = await reader.newPage();
  await page.clock.install();
  pages.failNext(1);
  await page.goto(`${pages.url}/core`);
  await pages.expectHits("view /core");
  await page.clock.runFor(HEARTBEAT_INTERVAL_MS);
  await page.goto("about:blank");
  await pages.expectHits("view /core", "beat /core", "leave /core");
  expect(pages.received.map(({ url, hit }) => [url, hit["site"]])).toEqual(
    Array(3).fill(["/stats/e", "blog"]),
  );
  reader.complaints.splice(0);
});
