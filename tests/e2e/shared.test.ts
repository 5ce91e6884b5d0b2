/** Statistics that were shared by a link with a password, in a frame of a page of somebody else. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { violations } from "./axe.helpers.ts";
import { launchBrowser, newVisitor } from "./browser.helpers.ts";
import { footfallForTest, runScript } from "./footfall.helpers.ts";

const SHOWN_WITHIN_MS = 30_000;

/** A page of another origin that frames `url`. Gives its address. */
async function framing(url: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      `<!doctype html><title>Elsewhere</title><iframe width="900" height="900" src="${url}"></iframe>`,
    );
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

type View = readonly [sessionId: string, path: string, timeZone: string];

/** As the pages of "docs" send them: two readers in Madrid with three views, one elsewhere with one. */
const VIEWS: readonly View[] = [
  ["reader-1", "/a", "Europe/Madrid"],
  ["reader-1", "/b", "Europe/Madrid"],
  ["reader-2", "/a", "Europe/Madrid"],
  ["stranger", "/secret", "Asia/Kathmandu"],
];

async function sendView(url: string, [sessionId, path, timeZone]: View): Promise<void> {
  const headers = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" };
  const hit = { kind: "view", site: "docs", sessionId, path, timeZone };
  const answer = await fetch(`${url}/e`, { method: "POST", body: JSON.stringify(hit), headers });
  expect(answer.headers.get("X-Footfall")).toBe("counted");
}

/** What is in the segment stands there, live; what is not does not, and nothing is an error. */
async function expectMadridAlone(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole("heading", { name: "Madrid · The docs" }).waitFor({
    timeout: SHOWN_WITHIN_MS,
  });
  const figure = (name: string) =>
    page.locator(`[data-figure=${name}] .metric-value`).first().textContent();
  await expect.poll(() => figure("views"), { timeout: SHOWN_WITHIN_MS }).toBe("3");
  expect(await figure("visitors")).toBe("2");
  await sendView(new URL(link).origin, ["reader-2", "/b", "Europe/Madrid"]);
  await expect.poll(() => figure("views"), { timeout: SHOWN_WITHIN_MS }).toBe("4");
  await page.locator(".sheet-panel tr[data-row='/b']").waitFor({ timeout: SHOWN_WITHIN_MS });
  await page.getByText("This link shows a part of the site alone.").waitFor();
  expect(await page.locator("tr[data-row='/secret'], [data-stat], .failure").count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await page.getByTitle("Show only /b").click();
  await expect.poll(() => figure("views"), { timeout: SHOWN_WITHIN_MS }).toBe("2");
  await page.goto(link.replace("#", "?filter=path:is:/secret#"));
  await expect.poll(() => figure("views"), { timeout: SHOWN_WITHIN_MS }).toBe("0");
  expect(await page.locator("tr[data-row='/secret'], [data-stat], .failure").count()).toBe(0);
}

test("a link with a password opens in a frame elsewhere, shows that site alone, one of a segment that alone, and nothing any more once it is revoked", async () => {
  const { url, dataFolder } = await footfallForTest("shared");
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const sites = async (...args: string[]) => {
    const { ended, output } = runScript("sites.ts", args, dataFolder);
    expect((await ended).code, output()).toBe(0);
    return output();
  };
  await sites("add", "docs", "--name", "The docs", "--access", "token");
  const made = await sites("add-token", "docs", "--password", "correct horse", "--days", "7");
  const [token = ""] = /fr_\w+/.exec(made) ?? [];

  const elsewhere = await framing(`${url}/share/docs?theme=dark#token=${token}`);
  const reader = await newVisitor(browser);
  const page = await reader.newPage();
  await page.goto(elsewhere);
  const frame = page.frameLocator("iframe");
  await frame.getByLabel("Password").fill("correct hors");
  await frame.getByRole("button", { name: "Open" }).click();
  await frame.getByText("That is not the password of this link.").waitFor();
  await frame.getByLabel("Password").fill("correct horse");
  await frame.getByRole("button", { name: "Open" }).click();
  await frame.getByRole("heading", { name: "The docs" }).waitFor({ timeout: SHOWN_WITHIN_MS });
  expect(await frame.locator("html").getAttribute("data-theme")).toBe("dark");
  expect(await frame.locator(".site-header").count()).toBe(0);

  for (const view of VIEWS) await sendView(url, view);
  await sites("add-segment", "docs", "Madrid", "--filter", "timeZone:is:Europe/Madrid");
  const ofMadrid = await sites("add-token", "docs", "--segment", "Madrid");
  const [alone = ""] = /fr_\w+/.exec(ofMadrid) ?? [];
  await expectMadridAlone(await reader.newPage(), `${url}/share/docs#token=${alone}`);

  const [, id = ""] = /Its id is (\w+)/.exec(made) ?? [];
  await sites("revoke-token", "docs", "--id", id);
  await page.goto(elsewhere);
  await frame.getByText("this one opens nothing").waitFor({ timeout: SHOWN_WITHIN_MS });
  expect([...reader.origins].sort()).toEqual([new URL(elsewhere).origin, url].sort());

  const framed = (await fetch(`${url}/share/docs`)).headers;
  expect(framed.get("content-security-policy")).toContain("frame-ancestors *");
  expect(framed.get("x-frame-options")).toBeNull();
  for (const path of ["/", "/stats", "/share"]) {
    const { headers } = await fetch(url + path);
    expect(headers.get("content-security-policy"), path).toContain("frame-ancestors 'none'");
    expect(headers.get("x-frame-options"), path).toBe("DENY");
  }
});
