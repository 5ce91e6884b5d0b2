/** What axe-core finds on the pages, empty and with numbers, in light and in dark. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violations } from "./axe.helpers.ts";
import { launchBrowser, newVisitor } from "./browser.helpers.ts";
import { deployedFolder, removeFolder, startFootfall, type Footfall } from "./footfall.helpers.ts";
import { expectStat } from "./stats-page.helpers.ts";

const dataFolder = deployedFolder("accessibility");
let browser: Browser;
let footfall: Footfall;
beforeAll(async () => {
  [browser, footfall] = await Promise.all([launchBrowser(), startFootfall(dataFolder)]);
});
afterAll(async () => {
  await browser.close();
  await footfall.stop();
  removeFolder(dataFolder);
});

const looks = [
  { colorScheme: "light", viewport: { width: 1280, height: 900 } },
  { colorScheme: "dark", viewport: { width: 1280, height: 900 } },
  { colorScheme: "light", viewport: { width: 390, height: 844 } },
  { colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

/** A step of /help, once its check stands so. */
function step(page: Page, name: string, state: string) {
  return page.locator(`[data-step=${name}][data-state=${state}]`);
}

test.each(looks)(
  "/, /stats and /help have no violations in $colorScheme at $viewport.width px",
  async (look) => {
    const { context, newPage } = await newVisitor(browser, { ...look, reducedMotion: "reduce" });
    const page = await newPage();
    await page.goto(footfall.url);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await violations(page)).toEqual([]);

    await page.goto(`${footfall.url}/stats`);
    await expectStat(page, "activeVisitors", 1);
    expect(await violations(page)).toEqual([]);

    await page.goto(`${footfall.url}/help`);
    await step(page, "script", "done").waitFor();
    expect(await violations(page)).toEqual([]);
    await context.close();
  },
);

test("/stats can be reached and left by keyboard, and says its numbers to a screen reader without chattering", async () => {
  const page = await (await newVisitor(browser)).newPage();
  await page.goto(footfall.url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/skip/i);
  const link = page.getByRole("link", { name: "Live stats" }).first();
  await link.focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/stats");
  await expectStat(page, "activeVisitors", 1);
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
  const spoken = page.locator("[aria-live=polite]");
  await expect
    .poll(() => spoken.textContent(), { timeout: 60_000 })
    .toMatch(/person online|people online/);
});

test("/help tells when a view has come, and lets the browser itself try a policy and what mends it", async () => {
  const page = await (await newVisitor(browser)).newPage();
  await page.goto(`${footfall.url}/help`);
  await step(page, "address", "waiting").getByText("127.0.0.1").waitFor();
  await page.getByLabel("Address of a page").fill("blog.example");
  await page.getByLabel("Its Content-Security-Policy").fill("default-src 'self'");
  await page.getByRole("button", { name: "Try it" }).click();
  const refused = step(page, "policy", "failed");
  await refused.getByText("refused the script").waitFor();
  const mended = (await refused.locator(".help-fix code").textContent()) ?? "";
  await page.getByLabel("Its Content-Security-Policy").fill(mended);
  await page.getByRole("button", { name: "Try it" }).click();
  await step(page, "policy", "done").waitFor();

  const reader = await (await newVisitor(browser)).newPage();
  await reader.goto(footfall.url);
  await step(page, "view", "done").waitFor({ timeout: 60_000 });
  await step(page, "mount", "done").waitFor({ timeout: 60_000 });
});
