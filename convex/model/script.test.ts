import { expect, test } from "vitest";
import { deployment } from "../deployment.helpers.ts";
import { textOf } from "../../domain/script-parts.ts";
import { integrityOf } from "../../scripts/tracking-script.ts";
import { SCRIPT_TEXTS } from "./scriptTexts.ts";

const WHOLE = SCRIPT_TEXTS.whole;

function get(query = "", headers: Record<string, string> = {}) {
  return deployment("2026-11-30T12:00:00Z").t.fetch(`/s.js${query}`, { method: "GET", headers });
}

test("the script is served as a script that any page may load, check and keep for a while", async () => {
  const answer = await get();
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe(WHOLE);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=3600, stale-while-revalidate=86400",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
    etag: `"${integrityOf(WHOLE)}"`,
  });
});

test("the core alone is served on request, and as another text", async () => {
  const answer = await get("?parts=none");
  expect(await answer.text()).toBe(SCRIPT_TEXTS.core);
  expect(answer.headers.get("ETag")).not.toBe((await get()).headers.get("ETag"));
});

test.each(["%", "W/%", '"other", %'])(
  "who has it already (%s) gets no text again",
  async (known) => {
    const tag = known.replace("%", `"${integrityOf(WHOLE)}"`);
    const answer = await get("", { "If-None-Match": tag });
    expect(answer.status).toBe(304);
    expect(await answer.text()).toBe("");
    expect(answer.headers.get("ETag")).not.toBeNull();
  },
);

test.each(['"other"', ""])("who has another one (%j) gets the text", async (known) => {
  expect((await get("", { "If-None-Match": known })).status).toBe(200);
});

test("the parts that are asked for come in the one file, and the same ones under the same hash however they are written", async () => {
  const addresses = ["?parts=outbound+vitals", "?parts=vitals,outbound,%20vitals"];
  const answers = await Promise.all(addresses.map((query) => get(query)));
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(texts[0]).toContain(SCRIPT_TEXTS.parts.outbound);
  expect(texts[0]).not.toContain(SCRIPT_TEXTS.parts.downloads);
  expect(texts[1]).toBe(texts[0]);
  const tags = answers.map((answer) => answer.headers.get("ETag"));
  expect(tags).toEqual(Array(2).fill(`"${integrityOf(texts[0]!)}"`));
});

test("a name that is no part is left out, and said in the console, without a word of what was asked for", async () => {
  const text = await (await get("?parts=forms+alert(1)")).text();
  expect(text.startsWith(textOf("forms", SCRIPT_TEXTS))).toBe(true);
  expect(text).toMatch(/;console\.warn\("Footfall: [^"]*"\);$/);
  expect(text).not.toContain("alert(1)");
});
