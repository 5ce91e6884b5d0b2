import { describe, expect, test } from "vitest";
import type { Summary } from "./change.ts";
import { engagedMetric } from "./engagement.ts";
import type { Engagement } from "./engagement.ts";
import { breakdownList, engagedList, eventList, leftOutList } from "./listRows.ts";
import { changesOf, FIGURE_NAMES, metricOf } from "./metrics.ts";
import type { Breakdown } from "./panels.ts";
import type { Point } from "./trend.ts";
import { barsOf } from "./trend.ts";

const covered = { from: 0, until: 1, timeZone: "UTC", isBeyondRetention: false } as const;
const counted = {
  ...{ views: 300, visits: 100, bounces: 50, exits: 100, durationMs: 6_000_000 },
  ...{ events: 0, visitors: 80, newVisitors: 10 },
};
const nobody = {
  ...{ visits: null, bounces: null, exits: null, durationMs: null },
  ...{ visitors: null, newVisitors: null },
};
const distinct: Summary = {
  ...{ ...covered, visitorsAre: "distinct", ...counted },
  ...{ viewsPerVisit: 3, bounceRatio: 0.5, averageVisitMs: 60_000 },
};
const unmeasured: Summary = {
  ...{ ...covered, visitorsAre: "not measured", ...counted, ...nobody },
  ...{ viewsPerVisit: null, bounceRatio: null, averageVisitMs: null },
};
const point: Point = { startsAt: 0, endsAt: 1, ...counted };
const empty: Point = { ...point, ...nobody };

describe("a figure that is not measured", () => {
  test("is a dash and says so, without a change and without a course; views stay what they are", () => {
    const changes = changesOf({ current: unmeasured, before: distinct });
    const shown = FIGURE_NAMES.map((name) => {
      const { value, note, course } = metricOf(name, unmeasured, [empty, empty]);
      return { name, value, note, courses: course.length, change: changes[name]?.kind ?? null };
    });
    const dash = { value: "–", note: "not measured", courses: 0, change: null };
    expect(shown).toEqual([
      { name: "views", value: "300", note: "", courses: 2, change: "asBefore" },
      ...FIGURE_NAMES.slice(1).map((name) => ({ name, ...dash })),
    ]);
  });

  test("for a part of the time is of the rest of it, with a gap in its course and no change", () => {
    const partly: Summary = { ...distinct, visitorsAre: "partly measured" };
    const changes = changesOf({ current: partly, before: { ...distinct, visits: 10 } });
    expect(changes.visits).toBeNull();
    const visits = metricOf("visits", partly, [empty, point]);
    expect(visits).toMatchObject({ value: "100", note: "not measured all the time" });
    expect(visits.course).toEqual([null, 100]);
    // Its views are of all the time.
    expect(metricOf("viewsPerVisit", partly, []).value).toBe("–");
  });

  test("is no bar of the trend, and compared with one is none either", () => {
    const [bar] = barsOf([point], [empty], { figure: "visitors", now: 2 });
    expect(bar).toMatchObject({ visitors: 80, before: null });
  });
});

test("visitors who are told apart by day are called that, and compared with such alone", () => {
  const byDay: Summary = { ...distinct, visitorsAre: "sum of days", visitors: 200 };
  const { label, explained } = metricOf("visitors", byDay, []);
  expect(label).toBe("Visitors, by day");
  expect(explained).toContain("counts twice");
  expect(metricOf("visits", byDay, []).explained).not.toContain("counts twice");
  expect(changesOf({ current: byDay, before: distinct }).visitors).toBeNull();
  const before = { ...byDay, visitors: 100 };
  expect(changesOf({ current: byDay, before }).visitors).toEqual({ kind: "share", share: 1 });
});

test("every figure that is measured has its change and its course", () => {
  const changes = changesOf({ current: distinct, before: distinct });
  expect(FIGURE_NAMES.map((name) => changes[name]?.kind)).toEqual(
    FIGURE_NAMES.map(() => "asBefore"),
  );
  const values = FIGURE_NAMES.map((name) => metricOf(name, distinct, [point]).value);
  expect(values).toEqual(["300", "100", "80", "3.00", "50.0%", "1m 00s"]);
  expect(FIGURE_NAMES.map((name) => metricOf(name, distinct, [point]).course)).toEqual([
    ...[[300], [100], [80], [3], [0.5], [60_000]],
  ]);
});

describe("a list", () => {
  const breakdown: Breakdown = {
    ...{ ...covered, visitorsAre: "not measured", dimension: "path" },
    rows: [{ value: "/", ...counted, ...nobody }],
    rest: { ...counted, ...nobody, views: 100 },
    ...{ valuesTotal: 3, complete: true, visitorsBy: "page", countryBy: null },
  };

  test("of figures that are not measured has dashes, by views it has their shares", () => {
    const byVisits = breakdownList(breakdown, { dimension: "path", rankBy: "visits" });
    expect(byVisits.rows).toMatchObject([{ strong: "–", quiet: "–", size: 0 }]);
    expect(byVisits.rest).toMatchObject({ strong: "–", quiet: "–" });
    const byViews = breakdownList(breakdown, { dimension: "path", rankBy: "views" });
    expect(byViews.rows).toMatchObject([{ strong: "300", quiet: "75.0%", size: 300 }]);
    expect(byViews.rest).toMatchObject({ label: "2 more", strong: "100", quiet: "25.0%" });
  });

  test("of events counts them, their visitors where they are measured, and no sum of visitors", () => {
    const events = {
      ...{ ...covered, namesTotal: 2, complete: true, visitorsAre: "distinct" as const },
      rows: [{ name: "signup", events: 5, visitors: 3 }],
      rest: { events: 2, visitors: 2 },
    };
    const known = eventList(events);
    expect(known.rows).toMatchObject([{ key: "signup", strong: "5", quiet: "3" }]);
    expect(known.rest).toEqual({ label: "1 more", strong: "2", quiet: "" });
    const unknown = eventList({ ...events, rows: [{ name: "signup", events: 5, visitors: null }] });
    expect(unknown.rows).toMatchObject([{ strong: "5", quiet: "–" }]);
  });

  test("of engaged pages goes by the time that was spent, and says how long a view was", () => {
    const figures = { views: 2, scroll: null, reached: [], interacting: null, vitals: [] };
    const times = { ...figures, engagedMs: 120_000, averageEngagedMs: 60_000 };
    const { rows, rest } = engagedList({
      ...{ from: 0, until: 1, timeZone: "UTC", pathsTotal: 1, complete: false },
      ...{ rows: [{ path: "/", ...times }], rest: times },
    });
    expect(rows).toMatchObject([{ key: "/", size: 120_000, strong: "2m 00s", quiet: "1m 00s" }]);
    expect(rest).toMatchObject({ label: "(other)", strong: "2m 00s" });
  });

  test("of what is left out names bots by their kind and all else by its reason", () => {
    const { rows } = leftOutList({
      ...{ count: 10, atLeast: false, newestAt: 1 },
      reasons: [
        { reason: "bot", kind: "search", hits: 6 },
        { reason: "daily cap", kind: null, hits: 4 },
      ],
    });
    expect(rows.map(({ label, quiet }) => [label, quiet])).toEqual([
      ["Search crawlers", "60.0%"],
      ["Beyond the day's limit", "40.0%"],
    ]);
  });
});

test("engaged time is of the views that reported it, and has a change where both times have some", () => {
  const times = (views: number, averageEngagedMs: number): Engagement => ({
    ...{ from: 0, until: 1, timeZone: "UTC", complete: true },
    ...{ views, engagedMs: views * averageEngagedMs, averageEngagedMs },
    ...{ scroll: null, reached: [], interacting: null, vitals: [] },
  });
  const whole = times(2, 60_000);
  const { metric, change } = engagedMetric({
    whole,
    same: { current: whole, before: times(3, 50_000) },
  });
  expect(metric).toMatchObject({ value: "1m 00s", note: "of 2 views", course: [] });
  expect(change).toEqual({ kind: "duration", durationMs: 10_000 });
  const none = { current: whole, before: times(0, 0) };
  expect(engagedMetric({ whole, same: none }).change).toBeNull();
});
