import { expect, test } from "vitest";
import { api } from "../../_generated/api.js";
import { deployment } from "../../deployment.helpers.ts";

test("a view that names no language has the first that its browser asks for, as the script's views do", async () => {
  const { t } = deployment("2026-11-30T12:00:00Z");
  const send = (sessionId: string, header: string, language?: string) =>
    t.fetch("/e", {
      method: "POST",
      headers: { "Accept-Language": header, "User-Agent": "Mozilla/5.0 (X11)" },
      body: JSON.stringify({ kind: "view", path: "/", sessionId, language }),
    });
  await send("s1", "pt-BR,pt;q=0.9,en;q=0.8");
  await send("s2", "fr", "es-ES");
  await send("s3", "");
  await t.mutation(api.stats.settle, {});
  const { rows } = await t.query(api.reports.breakdown, {
    range: { from: Date.UTC(2026, 10, 30), until: Date.UTC(2026, 11, 1) },
    dimension: "language",
  });
  expect(rows.map(({ value }) => value).sort()).toEqual(["", "es-ES", "pt-BR"]);
});
