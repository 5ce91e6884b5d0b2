/** Owns: the exact figures of our own cost: documents, ranges, calls, bytes of a short while. Not: all budgets and money (npm run bench:cost), times. */
import { describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../domain/minutes.ts";
import { measureBusy, measureCalls, measureWatching } from "./figures.ts";
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

  test("a view at 0.2 views/s takes at most 1.3 calls and 6 KB with all that follows", async () => {
    const { callsPerView, kilobytesPerView } = await measureBusy(0.2, 10 * MINUTE_MS);
    expect(callsPerView).toBeLessThanOrEqual(1.3);
    expect(kilobytesPerView).toBeLessThanOrEqual(6);
  });

  test("in a full hour of 20 views/s a view takes at most 1.05 calls and 4.5 KB with all that follows", async () => {
    const { callsPerView, kilobytesPerView } = await measureBusy(20, MINUTE_MS);
    expect(callsPerView).toBeLessThanOrEqual(1.05);
    expect(kilobytesPerView).toBeLessThanOrEqual(4.5);
  });

  test("an open /stats costs at most 60 MB and 15,000 calls an hour in a full hour of 20 views/s, and runs again at most once a second", async () => {
    const figures = await measureWatching(20, 20_000);
    expect(figures.megabytesPerHour).toBeLessThanOrEqual(60);
    expect(figures.megabytesPerHour).toBeGreaterThan(0);
    expect(figures.callsPerHour).toBeLessThanOrEqual(15_000);
    expect(figures.rerunsPerSecond).toBeLessThanOrEqual(1);
  });

  test("a report over 12 months, by whatever dimension, reads at most 75 documents and 500 KB", async () => {
    const costs = await measureReports(5_000);
    expect(costs.size).toBe(10);
    for (const [name, { documents, kilobytes }] of costs) {
      expect(documents, name).toBeLessThanOrEqual(75);
      expect(kilobytes, name).toBeLessThanOrEqual(500);
    }
  });
});
