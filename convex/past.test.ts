import { expect, test, vi } from "vitest";
import { api, internal } from "./_generated/api.js";
import { deployment } from "./deployment.helpers.ts";

const DAY = { from: "2026-11-30", to: "2026-11-30" };

test("where an hour had more paths than are kept by name, a path's views by day say that they are not exact, and those of all time are", async () => {
  const site = deployment("2026-11-30T12:00:00Z");
  for (let view = 0; view < 1_002; view += 1) await site.view(`/p${view}`, `s${view}`);
  const ask = (path: string, days: object) => site.t.query(api.stats.countViews, { path, ...days });
  while (!(await site.t.mutation(api.stats.settle, {})).isSettled);
  expect((await ask("/p1", DAY)).isExact).toBe(true);
  vi.setSystemTime(Date.now() + 24 * 3_600_000);
  await site.t.mutation(internal.past.ensureChains, {});
  await site.advance(60_000);
  const kept = await site.t.run((ctx) => ctx.db.query("pathDays").take(2_000));
  expect(kept).toHaveLength(1_000);
  expect(await ask(kept[0]?.path ?? "", DAY)).toEqual({ views: 1, isExact: false });
  expect(await ask("/p1", {})).toEqual({ views: 1, isExact: true });
  expect(await site.t.query(api.stats.countViews, DAY)).toEqual({ views: 1_002, isExact: true });
});
