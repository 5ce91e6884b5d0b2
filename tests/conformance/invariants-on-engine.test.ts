/** Owns: running the invariants of the reports on the engine, and that both runtimes say the same. Not: the invariants. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { api } from "../../convex/_generated/api.js";
import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { createEngineRuntime } from "./engine-runtime.ts";
import { invariants } from "./invariants.ts";
import { CLOCK_TOLERANCE_MS, STARTS_AT, changingStory, play } from "./played-history.ts";
import type { Story } from "./played-history.ts";
import type { CreateRuntime } from "./runtime.ts";
import { tell } from "./site.ts";

invariants(createEngineRuntime, { runs: 2 });

test("I8: the same history gives the same numbers on the engine and on convex-test", () =>
  fc.assert(
    fc.asyncProperty(changingStory, async (story) => {
      const onEngine = await numbersOf(createEngineRuntime, story);
      const onConvexTest = await numbersOf(createConvexTestRuntime, story);
      expect(onEngine.apartFromTimes).toEqual(onConvexTest.apartFromTimes);
      for (const [place, timeMs] of onEngine.timesMs.entries()) {
        expect(Math.abs(timeMs - (onConvexTest.timesMs[place] ?? NaN))).toBeLessThan(
          CLOCK_TOLERANCE_MS,
        );
      }
    }),
    { numRuns: 1 },
  ));

/** A runtime may give each call its own millisecond, so times are compared apart. */
type Numbers = { apartFromTimes: unknown; timesMs: number[] };

function withTimesApart(numbers: unknown): Numbers {
  const timesMs: number[] = [];
  const text = JSON.stringify(numbers, (key, value: unknown) => {
    if (!/(duration|Visit)Ms$/.test(key) || typeof value !== "number") return value;
    timesMs.push(value);
    return "a time";
  });
  return { apartFromTimes: JSON.parse(text) as unknown, timesMs };
}

async function numbersOf(create: CreateRuntime, story: Story): Promise<Numbers> {
  let numbers: unknown;
  await tell(
    create,
    async (site) => {
      await play(site, story);
      const range = { from: STARTS_AT - 10 * 86_400_000, until: site.runtime.now() + 1 };
      const { totalPageViews, uniqueVisitors, pageStats, activeByPath } = await site.settled();
      numbers = {
        headline: { totalPageViews, uniqueVisitors, pageStats, activeByPath },
        summary: await site.runtime.query(api.reports.summary, { range }),
        pages: await site.runtime.query(api.reports.breakdown, { range, dimension: "path" }),
        events: await site.runtime.query(api.reports.events, { range }),
        series: await site.runtime.query(api.reports.timeseries, { range }),
      };
    },
    STARTS_AT,
  );
  return withTimesApart(numbers);
}
