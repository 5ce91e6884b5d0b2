/** Statistics that were shared by a link with a password, in a frame of a page of somebody else. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
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

test("a link with a password opens in a frame elsewhere, shows that site alone, and nothing any more once it is revoked", async () => {
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
