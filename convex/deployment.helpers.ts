/** Owns: a fresh deployment under convex-test for one test, with a clock that stands still. Not: behaviours that hold on every runtime (tests/conformance). */
import { register } from "@convex-dev/aggregate/test";
import { register as registerLimiter } from "@convex-dev/rate-limiter/test";
import { convexTest } from "convex-test";
import { onTestFinished, vi } from "vitest";
import { api, internal } from "./_generated/api.js";
import schema from "./schema.ts";

const modules = import.meta.glob("./**/*.*s");

/** The components of convex.config.ts. */
const AGGREGATES = ["totalPageViews", "pageViewsByPath", "uniqueVisitors"];

/** How far the clock moves between two looks at what is due. */
const STEP_MS = 250;

export function deployment(now: string) {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: Date.parse(now) });
  const log = vi.spyOn(console, "log").mockReturnValue(undefined);
  for (const level of ["warn", "error"] as const) {
    vi.spyOn(console, level).mockReturnValue(undefined);
  }
  onTestFinished(() => {
    vi.clearAllTimers();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const t = convexTest(schema, modules);
  for (const name of AGGREGATES) register(t, name);
  registerLimiter(t);
  return {
    t,
    logged: () => log.mock.calls.map((line) => line.join(" ")),
    view: (path: string, sessionId: string, title?: string) =>
      t.mutation(api.stats.recordPageView, {
        ...{ path, sessionId, pageType: "page" },
        ...(title === undefined ? {} : { title }),
      }),
    settled: () => t.query(api.stats.getStats, { freshness: "settled" }),
    instant: () => t.query(api.stats.getStats, {}),
    watch: () => t.mutation(api.stats.watch, { watcherId: "reader-1" }),
    run: () => t.mutation(internal.worker.run, { site: "default" }),
    advance: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        vi.advanceTimersByTime(Math.min(STEP_MS, ms - passed));
        await t.finishInProgressScheduledFunctions();
      }
    },
  };
}
