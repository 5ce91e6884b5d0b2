/** Owns: running the invariants of the reports on the engine, and that both runtimes say the same. Not: the invariants. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { api } from "../../convex/_generated/api.js";
import { createConvexTestRuntime } from "./convex-test-runtime.ts";
import { createEngineRuntime } from "./engine-runtime.ts";
import { invariants } from "./invariants.ts";
import { STARTS_AT, changingStory, play } from "./played-history.ts";
import type { Story } from "./played-history.ts";
import type { CreateRuntime } from "./runtime.ts";
import { tell } from "./site.ts";

invariants(createEngineRuntime, { runs: 2 });

test("I8: the same history gives the same numbers on the engine and on convex-test", () =>
  fc.assert(
    fc.asyncProperty(changingStory, async (story) => {
      const onEngine = await numbersOf(createEngineRuntime, story);
      expect(onEngine).toEqual(await numbersOf(createConvexTestRuntime, story));
    }),
    { numRuns: 1 },
  ));

async function numbersOf(create: CreateRuntime, story: Story): Promise<unknown> {
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
        series: await site.runtime.query(api.reports.timeseries, { range }),
      };
    },
    STARTS_AT,
  );
  return numbers;
}
