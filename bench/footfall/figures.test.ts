/** Owns: the exact figures of our own cost: documents, ranges, calls. Not: bytes and money (npm run bench:cost), times. */
import { describe, expect, test } from "vitest";
import { measureCalls, measureRate, measureWatching } from "./figures.ts";
import { measureReports } from "./reports.ts";

describe("what Footfall costs", () => {
  test("a view, a heartbeat and getStats touch the same with 10 views and with 2,000 views in the table", async () => {
    const [few, many] = [await measureCalls(10), await measureCalls(2_000)];
    expect(many.view).toMatchObject({ documents: few.view.documents, ranges: few.view.ranges });
    expect(many.stats.ranges).toBe(few.stats.ranges);
    for (const { viewAtMost, waking, heartbeat, stats } of [few, many]) {
      expect(viewAtMost.documents).toBeLessThanOrEqual(3);
      expect(viewAtMost.ranges).toBeLessThanOrEqual(6);
      expect(waking.documents).toBeLessThanOrEqual(5);
      expect(waking.ranges).toBeLessThanOrEqual(8);
      expect(heartbeat.documents).toBe(1);
      expect(stats.ranges).toBeLessThanOrEqual(8);
    }
  });

  test("a view at 0.2 views/s takes at most 1.3 calls with all that follows", async () => {
    const { callsPerView, kilobytesPerView } = await measureRate(0.2, 120);
    expect(callsPerView).toBeLessThanOrEqual(1.3);
    expect(kilobytesPerView).toBeLessThanOrEqual(6);
  });

  test("an open /stats runs again at most once a second, and costs at most 15,000 calls an hour", async () => {
    const options = { ms: 20_000, afterKilobytesPerView: 0 };
    const { callsPerHour, rerunsPerSecond } = await measureWatching(5, options);
    expect(rerunsPerSecond).toBeLessThanOrEqual(1);
    expect(callsPerHour).toBeLessThanOrEqual(15_000);
  });

  test("a report over 12 months reads at most 75 documents", async () => {
    const costs = await measureReports(5_000);
    expect(costs.size).toBe(9);
    for (const [name, { documents }] of costs) expect(documents, name).toBeLessThanOrEqual(75);
  });
});
