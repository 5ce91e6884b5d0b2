/**
 * Owns: reading /stats as a person does: by what stands on the page.
 * Not: opening it.
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";

type Stat =
  "activeVisitors" | "totalPageViews" | "uniqueVisitors" | "publishedPosts" | "publishedPages";

/** How long a changed number may take before the test calls it missing; bench:live measures how long it does take. */
const SHOWN_WITHIN_MS = 60_000;

export async function expectStat(page: Page, stat: Stat, value: number | string): Promise<void> {
  const shown = () => page.locator(`[data-stat=${stat}]`).textContent();
  await expect.poll(shown, { timeout: SHOWN_WITHIN_MS, message: stat }).toBe(String(value));
}

/** Views of a path in the table of pages. */
export async function expectViews(page: Page, path: string, views: number): Promise<void> {
  const shown = () => page.locator(`[data-views="${path}"]`).textContent();
  await expect
    .poll(shown, { timeout: SHOWN_WITHIN_MS, message: `views of ${path}` })
    .toBe(String(views));
}

/** Paths under "people online, by page", with how many are on each. */
export async function expectOnline(
  page: Page,
  online: Readonly<Record<string, number>>,
): Promise<void> {
  const rows = page.locator(".rows-live tr[data-row]");
  const shown = async (): Promise<Record<string, number>> => {
    const read = (all: Element[]) =>
      all.map((row): [string, number] => [
        row.getAttribute("data-row") ?? "",
        Number(row.querySelector("td")?.textContent),
      ]);
    return Object.fromEntries(await rows.evaluateAll(read));
  };
  await expect.poll(shown, { timeout: SHOWN_WITHIN_MS, message: "online by page" }).toEqual(online);
}
