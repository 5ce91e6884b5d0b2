/** The parts of the script tag in a real browser: what each must send, and nothing else. */
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { ENGAGED_IDLE_MS } from "../../domain/intervals.ts";
import { launchBrowser, newVisitor, type Visitor } from "./browser.helpers.ts";
import { footfallForTest } from "./footfall.helpers.ts";
import { call, serveScriptPages, type Hit, type ScriptPages } from "./script-pages.helpers.ts";

/** Longer than a click takes on a machine that is busy with other tests. */
const SENT_WITHIN_MS = 30_000;
const EARLY = ["Early", { plan: "pro", seats: 3, isTrial: true }];

let browser: Browser;
let pages: ScriptPages;
let reader: Visitor;

beforeAll(async () => {
  browser = await launchBrowser({ withBackForwardCache: true });
});
afterAll(() => browser.close());
beforeEach(async () => {
  [reader, pages] = await Promise.all([newVisitor(browser), serveScriptPages()]);
});
afterEach(async () => {
  expect(reader.complaints).toEqual([]);
  await reader.context.close();
  await pages.stop();
});

async function open(path: string, { withClock = false } = {}): Promise<Page> {
  const page = await reader.newPage();
  if (withClock) await page.clock.install();
  await page.goto(pages.url + path);
  return page;
}

async function expectEvents(...wanted: unknown[]): Promise<void> {
  await expect.poll(() => pages.events(), { timeout: SENT_WITHIN_MS }).toEqual(wanted);
}

const reports = (): Hit[] => pages.hits().filter(({ kind }) => kind === "engagement");

async function expectReports(count: number): Promise<Hit[]> {
  await expect.poll(() => reports().length, { timeout: SENT_WITHIN_MS }).toBe(count);
  return reports();
}

/** As a tab that another one covers, or uncovers. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    const visibilityState = isHidden ? "hidden" : "visible";
    Object.defineProperty(document, "visibilityState", {
      value: visibilityState,
      configurable: true,
    });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, isHidden);
}

test("all parts under a strict policy: an event for what a reader does, with its well-known name, and for nothing else", async () => {
  const page = await open("/parts");
  await expectEvents(EARLY);
  expect(pages.hits().map(({ kind }) => kind)).toEqual(["view", "event"]);
  expect(pages.hits()[1]).toMatchObject({ path: "/parts", interactive: false });
  for (const id of ["shop", "own", "mail", "close"]) await page.click(`#${id}`);
  await page.click("#outbound", { button: "right" });
  const outbound = ["Outbound link", { url: "https://www.other.example/page" }];
  await page.click("#outbound");
  await page.click("#outbound", { button: "middle" });
  await page.focus("#outbound");
  await page.keyboard.press("Enter");
  await expectEvents(EARLY, outbound, outbound, outbound);
  for (const id of ["kept", "report", "export", "signup", "choice", "search"])
    await page.click(`#${id}`);
  await expectEvents(
    ...[EARLY, outbound, outbound, outbound],
    ["Outbound link", { url: "https://other.example/kept" }],
    ["File download", { url: "https://other.example/report.PDF" }],
    ["File download", { url: `${pages.url}/export` }],
    ["Signup", { plan: "pro", "plan-period": "year" }],
    ["Choice", {}],
    ["Form submit", { action: `${pages.url}/find`, id: "find" }],
    ["Search", {}],
  );
  const ids = pages.hits().map(({ eventId }) => eventId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(pages.hits().map(({ sessionId }) => sessionId)).size).toBe(1);
  await page.goto("about:blank");
  const [{ vitals, ...report }] = (await expectReports(1)) as [Hit];
  expect(report).toMatchObject({ path: "/parts", viewId: ids[0] });
  expect(report["human"]).toMatch(/^(\d+-\d+s|30s\+)$/);
  expect(vitals).toMatchObject({
    ttfbMs: expect.any(Number) as number,
    fcpMs: expect.any(Number) as number,
  });
});

test("a click that leaves the page waits for nothing, and counts though the collector has not answered yet", async () => {
  await reader.context.route("https://www.other.example/**", (route) =>
    route.fulfill({ contentType: "text/html", body: "<title>Other</title>" }),
  );
  const answer = pages.holdAnswers();
  const page = await open("/parts/leave");
  await page.click("#outbound");
  await page.waitForURL("https://www.other.example/**");
  await expectEvents(EARLY, ["Outbound link", { url: "https://www.other.example/page" }]);
  answer();
});

test("C54: what is read with a hand on the mouse is engaged time, to the last minute of 6; C55: hidden hours are not", async () => {
  const page = await open("/parts", { withClock: true });
  await expectEvents(EARLY);
  for (let minute = 0; minute < 6; minute += 1) {
    await page.mouse.move(10 + minute, 10);
    await page.clock.runFor(ENGAGED_IDLE_MS - 1);
  }
  await page.mouse.wheel(0, 10_000);
  await page.waitForFunction(
    () => scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 1,
  );
  await page.clock.runFor(10 * ENGAGED_IDLE_MS);
  await setHidden(page, true);
  const [first] = (await expectReports(1)) as [Hit];
  const minutes = Math.round((first["engagedMs"] as number) / ENGAGED_IDLE_MS);
  expect([minutes, first["scrollPercent"]]).toEqual([7, 100]);
  await page.clock.runFor(11 * 60 * ENGAGED_IDLE_MS);
  await setHidden(page, false);
  await page.clock.runFor(10 * ENGAGED_IDLE_MS);
  await setHidden(page, true);
  const [, second] = (await expectReports(2)) as [Hit, Hit];
  expect(second["viewId"]).toBe(first["viewId"]);
  expect(second["engagedMs"]).toBe((first["engagedMs"] as number) + ENGAGED_IDLE_MS);
  await page.goto("about:blank");
  const left = () => pages.hits().some(({ kind }) => kind === "leave");
  await expect.poll(left, { timeout: SENT_WITHIN_MS }).toBe(true);
  expect(reports()).toHaveLength(2);
});

test("a view that is over is reported under the id that it had, also of who is private; a program's input is called so", async () => {
  await reader.context.addInitScript(() =>
    Object.defineProperty(navigator, "globalPrivacyControl", { value: true }),
  );
  const page = await open("/parts/a");
  await expectEvents(EARLY);
  await page.evaluate(() => {
    document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    history.pushState(null, "", "/parts/b");
  });
  await expectReports(1);
  const views = () => pages.hits().filter(({ kind }) => kind === "view");
  await expect.poll(() => views().length, { timeout: SENT_WITHIN_MS }).toBe(2);
  await page.keyboard.press("a");
  await page.goto("about:blank");
  const [first, second] = (await expectReports(2)) as [Hit, Hit];
  expect([first, second].map(({ path, viewId }) => [path, viewId])).toEqual(
    views().map(({ path, eventId }) => [path, eventId]),
  );
  // The view's id alone ties them together: each hit of who is private comes from another visitor.
  const said = [...views(), first, second];
  expect(new Set(said.map(({ sessionId }) => sessionId)).size).toBe(said.length);
  expect(first["human"]).toBe("synthetic");
  expect(second["human"]).toMatch(/^(\d+-\d+s|30s\+)$/);
  expect(second).not.toHaveProperty("vitals");
});

test("a program's input and then a reader's: each report is counted by a running Footfall, and the reader's has the last word", async () => {
  const { url } = await footfallForTest("touched");
  const page = await reader.newPage();
  const outcomes: (string | undefined)[] = [];
  page.on("response", (response) => {
    const isReport = response.request().postData()?.includes('"engagement"') === true;
    if (isReport) outcomes.push(response.headers()["x-footfall"]);
  });
  const body = `<!doctype html><title>Read</title><script defer src="/s.js?parts=human"></script>`;
  await page.route(`${url}/read`, (route) => route.fulfill({ contentType: "text/html", body }));
  const viewed = page.waitForResponse(`${url}/e`);
  await page.goto(`${url}/read`);
  expect((await viewed).headers()["x-footfall"]).toBe("counted");
  const said: unknown[] = [];
  page.on("request", (request) => {
    const hit = JSON.parse(request.postData() ?? "{}") as Partial<Hit>;
    if (hit.kind === "engagement") said.push(hit["human"]);
  });
  await page.evaluate(() => dispatchEvent(new Event("keydown")));
  await setHidden(page, true);
  await expect.poll(() => outcomes, { timeout: SENT_WITHIN_MS }).toEqual(["counted"]);
  await setHidden(page, false);
  await page.keyboard.press("a");
  await setHidden(page, true);
  await expect.poll(() => outcomes, { timeout: SENT_WITHIN_MS }).toEqual(["counted", "counted"]);
  expect(said).toEqual(["synthetic", expect.stringMatching(/^(\d+-\d+s|30s\+)$/)]);
});

test("a page that is not there: a 404 for it, and for a later path that is marked as one", async () => {
  const page = await open("/missing");
  await expectEvents(["404", { path: "/missing" }]);
  expect(pages.hits()[1]).toMatchObject({ kind: "event", interactive: false });
  await call(page, "go", "/missing/b");
  const paths = () => pages.hits().map(({ path }) => path);
  await expect.poll(paths, { timeout: SENT_WITHIN_MS }).toContain("/missing/b");
  await call(page, "go", "/missing/c", "is missing");
  await expectEvents(["404", { path: "/missing" }], ["404", { path: "/missing/c" }]);
  expect(pages.hits().filter(({ kind }) => kind === "view")).toHaveLength(3);
  reader.complaints.splice(0);
});

test("opting out on the page: nothing is sent from then on, and nothing but the flag is kept; opting in counts the next view", async () => {
  const page = await open("/parts/a");
  await expectEvents(EARLY);
  const ask = (...args: string[]) => call(page, "footfall", ...args);
  await ask("optout");
  await ask("event", "Not to be seen");
  await page.click("#signup");
  await setHidden(page, true);
  await setHidden(page, false);
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(["footfall_opt_out"]);
  await ask("optin");
  await page.evaluate(() => history.pushState(null, "", "/parts/b"));
  const paths = () => pages.hits().map(({ path }) => path);
  await expect.poll(paths, { timeout: SENT_WITHIN_MS }).toContain("/parts/b");
  await ask("event", "Seen");
  await expectEvents(EARLY, ["Seen", undefined]);
  const kinds = pages.hits().map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind !== "beat")).toEqual(["view", "event", "view", "event"]);
});

test("C12: in a sandboxed frame all parts go without storage, and throw nothing", async () => {
  const page = await open("/plain");
  await pages.expectHits("view /plain");
  await page.evaluate(() => {
    const frame = `<iframe sandbox="allow-scripts" src="/parts/framed"></iframe>`;
    document.body.insertAdjacentHTML("beforeend", frame);
  });
  await expectEvents(EARLY);
  await page.frameLocator("iframe").locator("#signup").click();
  await expectEvents(EARLY, ["Signup", { plan: "pro", "plan-period": "year" }]);
});
