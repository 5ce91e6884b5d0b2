/** The sites of a running Footfall from the terminal, and what then becomes of hits from their pages. */
import { expect, test } from "vitest";
import { footfallForTest, runScript } from "./footfall.helpers.ts";

test("a site is added, takes hits of its host alone, and is removed, all from the terminal", async () => {
  const { url, dataFolder } = await footfallForTest("sites");
  const sites = async (...args: string[]) => {
    const { ended, output } = runScript("sites.ts", args, dataFolder);
    const { code } = await ended;
    return { code, text: output() };
  };
  const send = async (host: string) => {
    const headers = { Origin: `https://${host}`, "User-Agent": "Mozilla/5.0 Firefox/140.0" };
    const body = JSON.stringify({ kind: "view", sessionId: "s1", path: "/" });
    const answer = await fetch(`${url}/e`, { method: "POST", body, headers });
    return answer.headers.get("X-Footfall");
  };

  expect((await sites("add", "docs", "--host", "docs.example")).text).toMatch(
    /^docs .*docs\.example/m,
  );
  expect([await send("docs.example"), await send("copy.example")]).toEqual([
    "counted",
    "filtered; unknown site",
  ]);
  const [added = ""] = /set default --add-host \S+/.exec((await sites("unknown")).text) ?? [];
  expect((await sites(...added.split(" "))).code).toBe(0);
  expect(await send("copy.example")).toBe("counted");

  expect((await sites("usage", "docs")).text).toMatch(/^\d{4}-\d{2}-\d{2} +1 +0$/m);
  expect((await sites("delete", "docs")).text).toMatch(/pageViews +1\n[^]*Nothing is removed yet/);
  expect((await sites("delete", "docs", "--confirm", "docs")).code).toBe(0);
  const gone = await sites("size", "docs");
  expect(gone).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^Site "docs" is [^\n]+\n$/) as unknown,
  });
});
