import { expect, test } from "vitest";
import { deployment } from "./deployment.helpers.ts";

test("C14: a preflight for /e is answered, also by a browser of another origin", async () => {
  const { t } = deployment("2026-11-30T12:00:00Z");
  const answer = await t.fetch("/e", { method: "OPTIONS" });
  expect(answer.status).toBe(204);
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(answer.headers.get("Access-Control-Allow-Methods")).toContain("POST");
});

test.each([
  ["no JSON", "leave", /no JSON object/],
  ["a list", "[]", /no JSON object/],
  ["an unknown kind", '{"kind":"view"}', /wanted "leave"/],
  ["no session", '{"kind":"leave"}', /"sessionId" is missing/],
  ["an invalid session", '{"kind":"leave","sessionId":""}', /sessionId is not valid/],
  ["a path that is no text", '{"kind":"leave","sessionId":"s","path":1}', /"path" is no text/],
  ["an unknown site", '{"kind":"leave","sessionId":"s","site":"x"}', /"x" is unknown here/],
])("%s is refused in one sentence, without a stack", async (_what, body, message) => {
  const { t } = deployment("2026-11-30T12:00:00Z");
  const answer = await t.fetch("/e", { method: "POST", body });
  expect(answer.status).toBe(400);
  const text = await answer.text();
  expect(text).toMatch(message);
  expect(text.trim()).not.toContain("\n");
});
