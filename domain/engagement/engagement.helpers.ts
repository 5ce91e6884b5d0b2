/** Owns: random reports of views, and rows of the log. Not: what is expected of them. */
import fc from "fast-check";
import { HOUR_MS } from "../calendar/civil.ts";
import { HUMAN_VERDICTS } from "./human.ts";
import { acceptReported } from "./reported.ts";
import type { Reported } from "./reported.ts";
import { highest } from "./reported.ts";
import type { LoggedEngagement } from "./rollup.ts";

const some = (max: number) =>
  fc.option(fc.double({ min: 0, max, noNaN: true }), { nil: undefined, freq: 3 });

/** As a page would say it and the door would take it. */
export const anyReported: fc.Arbitrary<Reported> = fc
  .record({
    engagedMs: fc.nat(600_000),
    scrollPercent: fc.nat(100),
    vitals: fc.record({
      ...{ lcpMs: some(9_000), inpMs: some(900), cls: some(0.6) },
      ...{ fcpMs: some(6_000), ttfbMs: some(3_000) },
    }),
    human: fc.option(fc.constantFrom(...HUMAN_VERDICTS), { nil: undefined }),
  })
  .map(acceptReported);

/** A view as it reports, from first to last: each report is at least the one before. */
export const anyView = fc
  .record({
    path: fc.constantFrom("/a", "/b", "/ö", "/a/b", ""),
    viewAt: fc.nat(5).map((hour) => hour * HOUR_MS + 60_000),
    reports: fc.array(anyReported, { minLength: 1, maxLength: 4 }),
  })
  .map(({ reports, ...view }) => {
    const grown: Reported[] = [];
    for (const report of reports) {
      const before = grown.at(-1);
      grown.push(before === undefined ? report : highest(before, report));
    }
    return { ...view, reports: grown };
  });
export type AnyView = typeof anyView extends fc.Arbitrary<infer V> ? V : never;

/** The rows that the door would write of it. */
export function rowsOf({ path, viewAt, reports }: AnyView): LoggedEngagement[] {
  return reports.map((after, place) => ({
    ...{ path, viewAt, after },
    before: reports[place - 1] ?? null,
  }));
}
