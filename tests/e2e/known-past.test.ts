/** Every period, comparison, list and export of /stats over a past that is known to the last view. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { launchBrowser, newVisitor, type Visitor } from "./browser.helpers.ts";
import { startKnownPast, VISITS, type KnownPast } from "./known-past.helpers.ts";
import { expectStat } from "./stats-page.helpers.ts";

const SHOWN_WITHIN_MS = 60_000;

let browser: Browser;
let past: KnownPast;
let owner: Visitor;
beforeAll(async () => {
  [browser, past] = await Promise.all([launchBrowser(), startKnownPast()]);
  owner = await newVisitor(browser);
  // The empty page before the first has no storage.
  await owner.context.addInitScript(() => {
    if (window.origin !== "null") window.localStorage.setItem("footfall_opt_out", "1");
  });
});
afterAll(async () => {
  await browser.close();
  await past.close();
});

const dateOf = (daysAgo: number) =>
  new Date(past.today - daysAgo * DAY_MS).toISOString().slice(0, 10);

async function openStats(search: string): Promise<Page> {
  const page = await owner.newPage();
  await page.goto(`${past.url}/stats?${search}`);
  await expectStat(page, "totalPageViews", 7);
  return page;
}

async function expectFigures(page: Page, wanted: Record<string, string>): Promise<void> {
  const shown = async () => {
    const read = Object.keys(wanted).map(async (name) => {
      const value = page.locator(`[data-figure=${name}] .metric-value`).first();
      return [name, await value.textContent()] as const;
    });
    return Object.fromEntries(await Promise.all(read));
  };
  await expect.poll(shown, { timeout: SHOWN_WITHIN_MS }).toEqual(wanted);
}

const panel = (page: Page, heading: string) =>
  page.locator(".sheet-panel", { has: page.getByRole("heading", { name: heading, exact: true }) });

/** The rows of a panel's list, by label: their first number. */
async function expectRows(page: Page, heading: string, rows: Record<string, string>) {
  const read = (all: Element[]) =>
    all.map((row): [string, string] => [
      row.querySelector(".label")?.textContent ?? "",
      row.querySelector("td")?.textContent ?? "",
    ]);
  const shown = async () =>
    Object.fromEntries(await panel(page, heading).locator("tr[data-row]").evaluateAll(read));
  await expect.poll(shown, { timeout: SHOWN_WITHIN_MS, message: heading }).toEqual(rows);
}

async function expectTabs(
  page: Page,
  heading: string,
  tabs: Record<string, Record<string, string>>,
): Promise<void> {
  for (const [tab, rows] of Object.entries(tabs)) {
    await panel(page, heading).getByRole("button", { name: tab, exact: true }).click();
    await expectRows(page, heading, rows);
  }
}

test("each preset shows the figures of its days, and Back goes through them", async () => {
  const viewsSince = (date: string) =>
    VISITS.filter(({ daysAgo }) => dateOf(daysAgo) >= date).flatMap(({ paths }) => paths).length;
  const page = await openStats("period=28d");
  await expectFigures(page, { views: "5", visits: "4", visitors: "3", viewsPerVisit: "1.25" });
  await expectFigures(page, { bounceRatio: "75.0%", averageVisitMs: "15s" });
  const presets = {
    Today: { views: "1", visits: "1", visitors: "1", bounceRatio: "100.0%" },
    Yesterday: { views: "1", visits: "1", visitors: "1", bounceRatio: "100.0%" },
    "7 d": { views: "2", visits: "2", visitors: "2" },
    "90 d": { views: "7", visits: "5", visitors: "3", bounceRatio: "60.0%" },
    "12 mo": { views: "7", visits: "5", visitors: "3" },
  };
  for (const [name, figures] of Object.entries(presets)) {
    await page.getByRole("link", { name, exact: true }).click();
    await expectFigures(page, figures);
  }
  const others = {
    "30d": "5",
    month: String(viewsSince(`${dateOf(0).slice(0, 7)}-01`)),
    year: String(viewsSince(`${dateOf(0).slice(0, 4)}-01-01`)),
    all: "7",
  };
  for (const [name, views] of Object.entries(others)) {
    await page.getByLabel("Other").selectOption(name);
    await expectFigures(page, { views });
  }
  for (let steps = 0; steps < Object.keys(others).length; steps += 1) await page.goBack();
  expect(new URL(page.url()).searchParams.get("period")).toBe("12mo");
  await page.close();
});

test("days of one's own are compared with other days of one's own: as many of each as the shorter has", async () => {
  const page = await openStats(`period=${dateOf(8)}..${dateOf(8)}`);
  await expectFigures(page, { views: "3", visits: "2", visitors: "2", bounceRatio: "50.0%" });
  const sentence = () => page.locator(".trend .trend-sentence").textContent();
  await page.getByLabel("Compare").selectOption("days");
  const form = page.getByRole("form", { name: "Choose the days to compare with" });
  await form.getByLabel("From").fill(dateOf(33));
  await form.getByLabel("Through").fill(dateOf(33));
  await form.getByRole("button", { name: "Show" }).click();
  // Three views and two are too few to tell apart.
  await expect
    .poll(sentence, { timeout: SHOWN_WITHIN_MS })
    .toMatch(/^As many views as in [^.]+\.$/);
  const compare = new URL(page.url()).searchParams.get("compare") ?? "";
  expect(compare).toBe(`${dateOf(33)}..${dateOf(33)}`);
  const hourOfBoth = await barAt(page, 10);
  expect(hourOfBoth).toMatch(/: 3 views, 2 in the time before$/);

  await page.goto(`${past.url}/stats?period=${dateOf(8)}..${dateOf(1)}&compare=${compare}`);
  await expectFigures(page, { views: "4" });
  const lengths = / One is longer than the other: the first day of each is compared\.$/;
  await expect.poll(sentence, { timeout: SHOWN_WITHIN_MS }).toMatch(lengths);
  expect(await barAt(page, 0)).toMatch(/: 3 views, 2 in the time before$/);
  expect(await barAt(page, 7)).toMatch(/: 1 views$/);
  await page.goBack();
  await expect.poll(sentence, { timeout: SHOWN_WITHIN_MS }).not.toMatch(lengths);
  await page.getByLabel("Compare").selectOption("none");
  await expect.poll(sentence, { timeout: SHOWN_WITHIN_MS }).toBe("3 views.");
  await page.close();
});

/** What the trend says of one bar, read by keyboard. */
async function barAt(page: Page, place: number): Promise<string | null> {
  const area = page.locator(".trend .trend-area");
  await area.focus();
  await area.press("Home");
  for (let steps = 0; steps < place; steps += 1) await area.press("ArrowRight");
  return await page.locator(".trend .trend-readout").textContent();
}

test("each list of each panel has its rows; a value filters all of them", async () => {
  const page = await openStats("period=28d");
  await expectTabs(page, "Pages", {
    Period: { "/": "2", "/a": "2", "/b": "1" },
    Entries: { "/": "2", "/a": "2", "/b": "0" },
    Exits: { "/": "2", "/a": "1", "/b": "1" },
  });
  await expectTabs(page, "Sources", {
    Channels: { "Direct, none": "2", Email: "1", Social: "1" },
    Referrers: { "Direct, none": "3", "news.ycombinator.com": "1" },
    Campaigns: { "No campaign": "3", november: "1" },
    Sources: { "Direct, none": "2", "Hacker News": "1", Newsletter: "1" },
  });
  await expectTabs(page, "Places", {
    Countries: { Germany: "1", "United Kingdom": "1", France: "1" },
    Languages: { "German (Germany)": "1", "British English": "1", "French (France)": "1" },
    "Time zones": { "Europe/Berlin": "1", "Europe/London": "1", "Europe/Paris": "1" },
  });
  await expectTabs(page, "Devices", {
    System: { Windows: "1", Linux: "1", iOS: "1" },
    Kind: { desktop: "2", mobile: "1" },
    Size: { "under 576 px": "1", "1440–1919 px": "1", "1920 px and up": "1" },
    Browser: { Chrome: "1", Firefox: "1", Safari: "1" },
  });
  const busy = panel(page, "Week by hour").locator("td[title]:not([data-step='0'])");
  const cells = async () => (await busy.allTextContents()).map(Number);
  await expect
    .poll(async () => (await cells()).reduce((sum, views) => sum + views, 0), {
      timeout: SHOWN_WITHIN_MS,
    })
    .toBe(5);
  await expectRows(page, "Left out of the count", { "Search crawlers": "1" });

  await panel(page, "Devices").getByRole("button", { name: "Firefox", exact: true }).click();
  await expectFigures(page, { views: "3", visits: "2", visitors: "1", bounceRatio: "50.0%" });
  await expectTabs(page, "Pages", { Period: { "/": "1", "/a": "1", "/b": "1" } });
  await expectRows(page, "Sources", { "Direct, none": "1", "Hacker News": "1" });
  await expectRows(page, "Places", { "Europe/London": "1" });
  await page.goBack();
  await expectFigures(page, { views: "5" });
  expect(owner.complaints).toEqual([]);
  expect([...owner.origins]).toEqual([past.url]);
  await page.close();
});
