/** The period on /stats, as an owner uses it: figures, trend and lists of today's visits, live, by link, and one value alone. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser, newVisitor } from "./browser.helpers.ts";
import { footfallForTest, runInternal } from "./footfall.helpers.ts";
import { expectStat } from "./stats-page.helpers.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** The worker rolls up within five seconds while somebody watches; a busy machine needs longer. */
const SHOWN_WITHIN_MS = 60_000;

async function expectText(page: Page, selector: string, text: string): Promise<void> {
  const shown = () => page.locator(selector).first().textContent();
  await expect.poll(shown, { timeout: SHOWN_WITHIN_MS, message: selector }).toBe(text);
}

const figure = (name: string) => `[data-figure=${name}] .metric-value`;
const panel = (page: Page, heading: string) =>
  page.locator(".sheet-panel", { has: page.getByRole("heading", { name: heading, exact: true }) });

async function expectRows(page: Page, heading: string, rows: Record<string, string>) {
  const read = (all: Element[]) =>
    all.map((row): [string, string] => [
      row.querySelector(".label")?.textContent ?? "",
      row.querySelector(".views-column")?.textContent ?? "",
    ]);
  const shown = async () =>
    Object.fromEntries(await panel(page, heading).locator("tr[data-row]").evaluateAll(read));
  await expect.poll(shown, { timeout: SHOWN_WITHIN_MS, message: heading }).toEqual(rows);
}

/** As a page sends it that has no tracker of its own. */
async function sendEvent(url: string, name: string, properties: Record<string, string>) {
  const hit = { kind: "event", sessionId: "shopper", path: "/", name, properties };
  const headers = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" };
  const answer = await fetch(`${url}/e`, { method: "POST", body: JSON.stringify(hit), headers });
  expect(answer.headers.get("X-Footfall")).toBe("counted");
}

test("figures, trend and lists follow a visit without a reload; a link shows the same; a value shows alone, and Back shows all", async () => {
  const footfall = await footfallForTest("period");
  const { url } = footfall;
  const owner = await newVisitor(browser);
  // The empty page before the first has no storage.
  await owner.context.addInitScript(() => {
    if (window.origin !== "null") window.localStorage.setItem("footfall_opt_out", "1");
  });
  const stats = await owner.newPage();
  await stats.goto(`${url}/stats?period=today`);
  await stats.getByRole("heading", { name: "Nothing counted yet" }).waitFor();

  const reader = await newVisitor(browser);
  const page = await reader.newPage();
  await page.goto(url);
  await page.getByRole("link", { name: "Posts" }).click();
  await page.locator(".posts-title").first().waitFor();
  await expectStat(stats, "totalPageViews", 2);
  await expectText(stats, figure("views"), "2");
  await expectText(stats, figure("visits"), "1");
  await expectText(stats, figure("bounceRatio"), "0.0%");

  const other = await newVisitor(browser);
  const about = await other.newPage();
  await about.goto(`${url}/about?utm_source=newsletter&utm_medium=email`);
  await expectText(stats, figure("views"), "3");
  await expectText(stats, figure("visitors"), "2");
  await expectText(stats, figure("bounceRatio"), "50.0%");
  await expectText(stats, figure("viewsPerVisit"), "1.50");
  await expectRows(stats, "Pages", { "/": "1", "/posts": "1", "/about": "1" });
  await expectRows(stats, "Sources", { "Direct, none": "1", Newsletter: "1" });
  await expectText(stats, ".trend-sentence", "3 views.");

  await stats.getByRole("button", { name: "Newsletter" }).click();
  await expectText(stats, figure("views"), "1");
  expect(new URL(stats.url()).searchParams.get("filter")).toBe("source:is:Newsletter");
  // Lists are of the same views, and a second condition narrows them.
  await expectRows(stats, "Pages", { "/about": "1" });
  await stats.getByRole("button", { name: "Add a filter" }).click();
  await stats.locator(".filter-form [name=operator]").selectOption("isNot");
  await stats.locator(".filter-form [name=value]").fill("/about");
  await stats.getByRole("button", { name: "Filter", exact: true }).click();
  await expectText(stats, figure("views"), "0");
  await stats.getByRole("button", { name: "Remove: Page is not /about" }).click();
  await expectText(stats, figure("views"), "1");
  await stats.goBack();
  await stats.goBack();
  await stats.goBack();
  await expectText(stats, figure("views"), "3");
  await stats.getByRole("link", { name: "Yesterday" }).click();
  await expectText(stats, figure("views"), "0");

  const linked = await owner.newPage();
  await linked.goto(`${url}/stats?period=yesterday&filter=source:is:Newsletter#token=fr_1`);
  await expectText(linked, figure("views"), "0");
  await linked.getByRole("link", { name: "Today" }).click();
  await expectText(linked, figure("views"), "1");
  await linked.getByLabel("Compare").selectOption("none");
  await expect.poll(() => new URL(linked.url()).searchParams.get("compare")).toBe("none");
  // A reader's token stays in the address: a reload reads with it, too.
  expect(new URL(linked.url()).hash).toBe("#token=fr_1");
  await linked.getByRole("button", { name: "Table" }).click();
  await expectText(linked, ".trend-table tbody tr:last-child td", "1");

  await linked.getByRole("button", { name: "Remove: Source is Newsletter" }).click();
  expect(await panel(linked, "Events").count()).toBe(0);
  await sendEvent(url, "signup", { plan: "pro" });
  await sendEvent(url, "signup", { plan: "free" });
  await expectRows(linked, "Events", { signup: "2" });
  await linked.getByRole("button", { name: "signup" }).click();
  await expectText(linked, '.below[data-value="plan: pro"] td', "1");

  const text = "<b>Version 2</b>";
  await runInternal(footfall, "annotations:add", { text });
  await expectText(linked, ".notes-row bdi", text);
  await linked.getByRole("button", { name: "Table", exact: true }).click();
  await linked.locator(".trend-mark").focus();
  await expectText(linked, ".trend-note bdi", text);

  const movements = panel(linked, "Comings and goings");
  const came = movements.locator("tr[data-kind=came]", { hasText: "/about" });
  await came.filter({ hasText: "Newsletter" }).first().waitFor({ timeout: SHOWN_WITHIN_MS });
  await about.goto("about:blank");
  const went = movements.locator("tr[data-kind=went]", { hasText: "/about" });
  await went.first().waitFor({ timeout: SHOWN_WITHIN_MS });
  const curve = linked.locator(".curve", { hasText: "online at once, at" });
  await curve.waitFor({ timeout: SHOWN_WITHIN_MS });
  expect(owner.complaints).toEqual([]);
  expect([...owner.origins]).toEqual([url]);
});
