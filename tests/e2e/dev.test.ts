/** `npm run dev`: hot reload and the CLI's watch, on the engine or on the deployment that is configured. */
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { api } from "../../convex/_generated/api.js";
import { ourFiles, ROOT } from "../../scripts/checkout.ts";
import { launchBrowser, newVisitor } from "./browser.helpers.ts";
import {
  footfallForTest,
  newFolder,
  removeFolder,
  runScript,
  startFootfall,
} from "./footfall.helpers.ts";

/** A checkout of its own: the CLI writes into the one that it runs in. */
function newCheckout(): string {
  const folder = newFolder("checkout");
  onTestFinished(() => removeFolder(folder));
  for (const path of [...ourFiles(), "convex/_generated"]) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
}

test("StrictMode and all, a page counts once; a changed function is there without a restart; Ctrl-C leaves nothing behind", async () => {
  const checkout = newCheckout();
  const dataFolder = join(checkout, ".footfall");
  const dev = await startFootfall(dataFolder, { script: "dev.ts", checkout });
  onTestFinished(async () => void (await dev.stop("SIGKILL")));
  expect(readFileSync(join(checkout, ".env.local"), "utf8")).toContain("FOOTFALL_EMBEDDED");

  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await (await newVisitor(browser)).newPage();
  await page.goto(dev.url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const views = async () => (await dev.client.query(api.stats.getStats, {})).totalPageViews;
  await expect.poll(views, { timeout: 30_000 }).toBe(1);

  writeFileSync(
    join(checkout, "convex/added.ts"),
    `import { query } from "./_generated/server";
    export const answer = query({ args: {}, handler: () => 42 });`,
  );
  const answer = async () => (await dev.cli("run", "added:answer")).output.trim();
  await expect.poll(answer, { timeout: 120_000, interval: 1_000 }).toBe("42");

  expect(await dev.stop()).toEqual({ code: 0, signal: null });
  expect(existsSync(join(checkout, ".env.local"))).toBe(false);
  expect(await views().catch(() => "nobody answers")).toBe("nobody answers");
});

test("a deployment that .env.local names is used instead of an engine, and the file stays a person's own", async () => {
  const deployment = await footfallForTest("deployment");
  const checkout = newCheckout();
  const named = readFileSync(join(deployment.dataFolder, "cli.env"), "utf8");
  writeFileSync(join(checkout, ".env.local"), named);
  const dev = runScript("dev.ts", ["--port", "0"], join(checkout, ".footfall"), checkout);
  onTestFinished(async () => {
    dev.child.kill("SIGTERM");
    await dev.ended;
  });
  await expect.poll(dev.output, { timeout: 120_000 }).toMatch(/Convex functions ready/);
  expect(dev.output()).toContain("instead of the embedded engine");
  expect(readFileSync(join(checkout, ".env.local"), "utf8")).toContain(named.trim());
  expect(existsSync(join(checkout, ".footfall"))).toBe(false);
});
