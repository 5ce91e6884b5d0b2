import { expect, test } from "vitest";
import { deployment } from "../deployment.helpers.ts";
import { SCRIPT_TEXTS } from "./scriptTexts.ts";

function get(query = "", headers: Record<string, string> = {}) {
  return deployment("2026-11-30T12:00:00Z").t.fetch(`/s.js${query}`, { method: "GET", headers });
}

test("the script is served as a script that any page may load, check and keep for a while", async () => {
  const answer = await get();
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe(SCRIPT_TEXTS.whole.text);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=3600, stale-while-revalidate=86400",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
    etag: `"${SCRIPT_TEXTS.whole.integrity}"`,
  });
});

test("the core alone is served on request, and as another text", async () => {
  const answer = await get("?parts=none");
  expect(await answer.text()).toBe(SCRIPT_TEXTS.core.text);
  expect(answer.headers.get("ETag")).not.toBe((await get()).headers.get("ETag"));
});

test.each(["%", "W/%", '"other", %'])(
  "who has it already (%s) gets no text again",
  async (known) => {
    const tag = known.replace("%", `"${SCRIPT_TEXTS.whole.integrity}"`);
    const answer = await get("", { "If-None-Match": tag });
    expect(answer.status).toBe(304);
    expect(await answer.text()).toBe("");
    expect(answer.headers.get("ETag")).not.toBeNull();
  },
);

test.each(['"other"', ""])("who has another one (%j) gets the text", async (known) => {
  expect((await get("", { "If-None-Match": known })).status).toBe(200);
});
