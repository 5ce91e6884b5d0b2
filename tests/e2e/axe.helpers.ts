/** Owns: what axe-core finds on a page. Not: which pages are looked at. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "../../scripts/checkout.ts";

const AXE = readFileSync(join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8");

type Finding = { id: string; nodes: { html: string; failureSummary?: string }[] };
declare global {
  interface Window {
    axe: { run(): Promise<{ violations: Finding[] }> };
  }
}

/** Each violation with the elements that show it. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated, not added as a script: the site's own policy refuses scripts from elsewhere.
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => (await window.axe.run()).violations);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}
