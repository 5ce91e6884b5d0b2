/** What only a real browser can show of the hook: React's StrictMode, real events, real storage, real processes. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchBrowser, newVisitor, type Visitor } from "./browser.helpers.ts";
import { SENT_WITHIN_MS, serveTrackedPages, type TrackedPages } from "./tracked-page.helpers.ts";

const VIEW = "stats:recordPageView";
const BEAT = "stats:heartbeat";
const EVENT = "stats:recordEvent";

let browser: Browser;
let pages: TrackedPages;
let reader: Visitor;

beforeAll(async () => {
  browser = await launchBrowser({ withBackForwardCache: true });
});
afterAll(() => browser.close());
beforeEach(async () => {
  [reader, pages] = await Promise.all([newVisitor(browser), serveTrackedPages()]);
});
afterEach(async () => {
  await reader.context.close();
  await pages.stop();
});

async function open(path: string): Promise<Page> {
  const page = await reader.newPage();
  await page.goto(pages.url + path);
  return page;
}

/** Runs one of the functions that the page offers. */
async function call(page: Page, name: string, argument?: unknown): Promise<unknown> {
  return await page.evaluate(
    ([name, argument]) => (Reflect.get(window, String(name)) as (x: unknown) => unknown)(argument),
    [name, argument],
  );
}

test("C01: React's StrictMode mounts twice: one view, and nobody leaves", async () => {
  const page = await open("/a");
  await page.clock.install();
  await pages.expectMessages([VIEW, "/a"]);
  await page.clock.runFor(10_000);
  await pages.expectMessages([VIEW, "/a"]);
});

test("C11: a component that renders again and again on one path is one view", async () => {
  const page = await open("/a");
  await pages.expectMessages([VIEW, "/a"]);
  for (const typed of [1, 2, 3]) await call(page, "type", typed);
  await page.getByText("3").waitFor();
  await pages.expectMessages([VIEW, "/a"]);
});

test("C03: the path in the address bar is followed; a query or a hash is no other path", async () => {
  const page = await open("/list");
  await pages.expectMessages([VIEW, "/list"]);
  await page.evaluate(() => {
    for (const q of [1, 2, 3]) history.replaceState(null, "", `?q=${q}`);
    history.pushState(null, "", "#tab");
    history.pushState(null, "", "/next");
  });
  await pages.expectMessages([VIEW, "/list"], [VIEW, "/next"]);
  await page.evaluate(() => history.go(-2));
  await pages.expectMessages([VIEW, "/list"], [VIEW, "/next"], [VIEW, "/list"]);
});

test("a page that goes away leaves by beacon, as text/plain, and names its last view", async () => {
  const page = await open("/a");
  await pages.expectMessages([VIEW, "/a"]);
  await page.goto("about:blank");
  await pages.expectMessages([VIEW, "/a"], ["beacon", "/a"]);
  const [view, leave] = pages.messages;
  expect(leave).toMatchObject({ contentType: "text/plain;charset=UTF-8" });
  expect(leave?.args).toEqual({
    kind: "leave",
    path: "/a",
    sessionId: view?.args["sessionId"],
    eventId: view?.args["eventId"],
  });
});

test("C06: tracking keeps no page out of the back/forward cache, and a page that is back is a view again", async () => {
  const page = await open("/a");
  await pages.expectMessages([VIEW, "/a"]);
  await page.goto(`${pages.url}/b`);
  await pages.expectMessages([VIEW, "/a"], ["beacon", "/a"], [VIEW, "/b"]);
  await page.evaluate(() => history.back());
  const sent = () =>
    pages.messages.slice(3).map(({ name, args }) => `${name} ${String(args["path"])}`);
  const wanted = expect.arrayContaining([`${VIEW} /a`, "restored /a"]) as string[];
  await expect.poll(sent, { timeout: SENT_WITHIN_MS }).toEqual(wanted);
});

test("C07: a page that is rendered ahead of time counts when it is shown, not before", async () => {
  const page = await reader.newPage();
  await page.goto(`${pages.url}/before?/shown`);
  const ahead = () => [...pages.renderedAhead];
  await expect.poll(ahead, { timeout: SENT_WITHIN_MS }).toEqual(["/shown"]);
  expect(pages.messages).toEqual([]);
  await page.getByRole("link").click();
  await pages.expectMessages([VIEW, "/shown"]);
});

test("C12: in a sandboxed frame, where storage throws, a view is counted and nothing is thrown", async () => {
  await open("/frame");
  await pages.expectMessages([VIEW, "/framed"]);
  expect(pages.messages[0]?.args["sessionId"]).toMatch(/^[0-9a-z]{6,13}$/);
  expect(reader.complaints).toEqual([]);
});

test("C57: one of two tabs is closed, and the other says where the reader is now; the last one leaves", async () => {
  const first = await open("/a");
  await pages.expectMessages([VIEW, "/a"]);
  const second = await open("/b");
  await pages.expectMessages([VIEW, "/a"], [VIEW, "/b"]);
  await second.close({ runBeforeUnload: true });
  await pages.expectMessages([VIEW, "/a"], [VIEW, "/b"], [BEAT, "/a"]);
  await first.close({ runBeforeUnload: true });
  await pages.expectMessages([VIEW, "/a"], [VIEW, "/b"], [BEAT, "/a"], ["beacon", "/a"]);
  expect(new Set(pages.messages.map(({ args }) => args["sessionId"])).size).toBe(1);
});

test("C16: a view that the server fails to take is sent again under the same id", async () => {
  pages.failNext(2);
  await open("/a");
  await pages.expectMessages([VIEW, "/a"], [VIEW, "/a"], [VIEW, "/a"]);
  expect(new Set(pages.messages.map(({ args }) => args["eventId"])).size).toBe(1);
  expect(reader.complaints.filter((text) => text.includes("Footfall"))).toEqual([]);
});

test("who opts out is not counted any more, in no tab, until opting in again", async () => {
  const page = await open("/a");
  await pages.expectMessages([VIEW, "/a"]);
  const other = await open("/b");
  await pages.expectMessages([VIEW, "/a"], [VIEW, "/b"]);
  expect(await call(page, "optOut")).toBe(true);
  expect(await storedKeys(reader.context)).toEqual(["footfall_opt_out"]);
  await other.evaluate(() => history.pushState(null, "", "/c"));
  await page.goto(`${pages.url}/d`);
  await page.waitForFunction(() => "isOptedOut" in window);
  expect(await call(page, "isOptedOut")).toBe(true);
  await call(page, "optIn");
  await page.evaluate(() => history.pushState(null, "", "/e"));
  await pages.expectMessages([VIEW, "/a"], [VIEW, "/b"], [VIEW, "/e"]);
});

async function storedKeys(context: BrowserContext): Promise<string[]> {
  const { origins } = await context.storageState();
  return origins.flatMap(({ localStorage }) => localStorage.map(({ name }) => name));
}

test("a component that is gone for good leaves, and one that comes back is a view again", async () => {
  const page = await open("/a");
  await pages.expectMessages([VIEW, "/a"]);
  await call(page, "track", false);
  await pages.expectMessages([VIEW, "/a"], ["beacon", "/a"]);
  await call(page, "track", true);
  await pages.expectMessages([VIEW, "/a"], ["beacon", "/a"], [VIEW, "/a"]);
});

test("events and parts: after the view that they belong to, and how it was read by beacon, once its view is over", async () => {
  const page = await open("/parts/a");
  const before: [string, string][] = [
    [VIEW, "/parts/a"],
    [EVENT, "/parts/a"],
    [EVENT, "/parts/a"],
  ];
  // React's StrictMode runs the effect twice.
  await pages.expectMessages(...before);
  await page.getByRole("button").click();
  await page.evaluate(() => history.pushState(null, "", "/parts/b"));
  await expect
    .poll(() => pages.messages.map(({ name }) => name).sort(), { timeout: SENT_WITHIN_MS })
    .toEqual(["beacon", ...Array<string>(3).fill(EVENT), ...Array<string>(2).fill(VIEW)]);
  const argsOf = (sent: string, event?: string) =>
    pages.messages.find(({ name, args }) => name === sent && (!event || args["name"] === event))
      ?.args;
  // The beacon takes another way than the rest, and may come before what was sent before it.
  const [view, report] = [argsOf(VIEW), argsOf("beacon")];
  const properties = [{ key: "seats", value: 3 }];
  expect(argsOf(EVENT, "Early")).toMatchObject({ properties, isInteractive: false });
  const ofClick = { properties: [], sessionId: view!["sessionId"] };
  expect(argsOf(EVENT, "Signup")).toMatchObject(ofClick);
  expect(report).toMatchObject({
    ...{ kind: "engagement", path: "/parts/a", viewId: view!["eventId"], scrollPercent: 100 },
    engagedMs: expect.any(Number) as number,
  });
});
