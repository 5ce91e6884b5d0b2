import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDifference, emptyCell } from "./cell.ts";
import { decodeEngagement, encodeEngagement } from "./codec.ts";
import { engagementDifferences } from "./compare.ts";
import { anyView, rowsOf } from "./engagement.helpers.ts";
import { countIn } from "./histogram.ts";
import type { Histogram } from "./histogram.ts";
import { figuresOf, rankPaths } from "./report.ts";
import type { Reported } from "./reported.ts";
import { addLogged, emptyEngagement, isEmpty, sumOf } from "./rollup.ts";
import type { EngagementRollup, LoggedEngagement } from "./rollup.ts";

const NONE: Histogram = new Map();

const views = fc.array(anyView, { maxLength: 12 });

function hourOf(rows: readonly LoggedEngagement[]): EngagementRollup {
  return addLogged(emptyEngagement("hour", 0), rows);
}

function bytesOf(hex: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(hex, "hex")).buffer;
}

function report(engagedMs: number, scrollPercent: number, vitals: Reported["vitals"] = {}) {
  return { engagedMs, scrollPercent, vitals };
}

describe("an engagement roll-up", () => {
  test("holds of each view the last that it reported, however the differences are spread over batches", () => {
    fc.assert(
      fc.property(views, fc.nat(30), (all, cut) => {
        const rows = all.flatMap(rowsOf);
        const batches = [rows.slice(0, cut), rows.slice(cut)].map(hourOf);
        const merged = sumOf("hour", 0, batches);
        expect(merged).toEqual(hourOf(rows));
        const lasts = all.map(({ reports, ...view }) => ({
          ...{ ...view, before: null },
          after: reports.at(-1) ?? report(0, 0),
        }));
        expect(engagementDifferences(merged, hourOf(lasts))).toEqual([]);
      }),
    );
  });

  test("paths add up to the total, and each histogram to the views that reported it", () => {
    fc.assert(
      fc.property(views, (all) => {
        const rollup = hourOf(all.flatMap(rowsOf));
        const cells = [...rollup.paths.values()];
        const sum = (of: (cell: (typeof cells)[number]) => number) =>
          cells.reduce((total, cell) => total + of(cell), 0);
        expect(sum(({ views }) => views)).toBe(all.length);
        expect(sum(({ engagedMs }) => engagedMs)).toBe(rollup.total.engagedMs);
        expect(sum(({ histograms }) => countIn(histograms.get("scroll") ?? NONE))).toBe(all.length);
        const lcp = all.filter(({ reports }) => reports.at(-1)?.vitals.lcpMs !== undefined);
        expect(countIn(rollup.total.histograms.get("lcpMs") ?? NONE)).toBe(lcp.length);
        const touched = all.filter(({ reports }) => reports.at(-1)?.human !== undefined);
        expect(countIn(rollup.total.histograms.get("human") ?? NONE)).toBe(touched.length);
      }),
    );
  });

  test("a view that goes from 30 % to 80 % moves from one bin to the other", () => {
    const cell = emptyCell();
    addDifference(cell, null, report(10, 30));
    addDifference(cell, report(10, 30), report(25, 80));
    expect(cell).toEqual({
      ...{ views: 1, engagedMs: 25 },
      histograms: new Map([["scroll", new Map([[16, 1]])]]),
    });
  });

  test("comes back from its bytes, in one part or in many, and equal ones have equal bytes", () => {
    fc.assert(
      fc.property(views, fc.constantFrom(60, 120, 100_000), (all, maxBytes) => {
        const rollup = hourOf(all.flatMap(rowsOf));
        const parts = encodeEngagement(rollup, maxBytes);
        expect(decodeEngagement(parts)).toEqual(rollup);
        const again = decodeEngagement(parts.toReversed());
        expect(encodeEngagement(again, maxBytes)).toEqual(parts);
      }),
    );
  });

  test("bytes from before there were verdicts are read as they were, and written as they were", () => {
    const written = "fc0100ea689e0080bab70302904e0901100201330200010002022f6102904e09011002013302";
    const old = decodeEngagement([bytesOf(written)]);
    const after = report(5_000, 80, { cls: 0.1 });
    const view = { path: "/a", viewAt: 0, before: null, after };
    expect(old).toEqual(addLogged(emptyEngagement("hour", 3_600_000), [view]));
    expect(encodeEngagement(old)).toEqual([bytesOf(written)]);
  });

  test("bytes that are damaged, or of a roll-up of views, are refused", () => {
    const [bytes] = encodeEngagement(
      hourOf([{ path: "/a", viewAt: 0, before: null, after: report(5, 5) }]),
    );
    if (bytes === undefined) throw new Error("There is one part.");
    for (const place of [0, 1, 7, bytes.byteLength - 1]) {
      const broken = new Uint8Array(bytes.slice(0));
      broken[place] = (broken[place] ?? 0) ^ 0x11;
      expect(() => decodeEngagement([broken.buffer])).toThrow(/roll-up/);
    }
  });

  test("keeps at most 500 paths of an hour, those with the most views; the others are one sum, and nothing is lost", () => {
    const rows: LoggedEngagement[] = [];
    for (let path = 0; path < 703; path += 1) {
      const times = path < 500 ? 2 : 1;
      for (let view = 0; view < times; view += 1) {
        const after = report(10, 50, { cls: 0.05 });
        rows.push({ path: `/p${path}`, viewAt: 0, before: null, after });
      }
    }
    const rollup = hourOf(rows);
    expect(rollup.paths.size).toBe(500);
    expect(rollup.other).toMatchObject({ views: 203, engagedMs: 2_030 });
    addLogged(rollup, [
      { path: "/p700", viewAt: 0, before: report(10, 50), after: report(40, 90) },
    ]);
    expect(rollup.paths.has("/p700")).toBe(false);
    expect(rollup.other).toMatchObject({ views: 203, engagedMs: 2_060 });
    const { rest, complete, pathsTotal } = rankPaths(rollup, { rankBy: "views", maxRows: 10 });
    expect(rest?.views).toBe(490 * 2 + 203);
    expect([complete, pathsTotal]).toEqual([false, 500]);
    const counted = hourOf(rows.toReversed());
    expect(engagementDifferences(rollup, counted).map(({ figure }) => figure)).toContain(
      "engagedMs",
    );
  });

  test("in which all cancelled out is empty", () => {
    const rollup = hourOf([]);
    expect(isEmpty(rollup)).toBe(true);
    const one = report(7, 10, { lcpMs: 2_000 });
    addLogged(rollup, [{ path: "/a", viewAt: 0, before: null, after: one }]);
    expect(isEmpty(rollup)).toBe(false);
  });
});

describe("what a reader is told", () => {
  test("time, quartiles of depth, and how many got how far", () => {
    const cell = emptyCell();
    for (const [place, depth] of [0, 24, 25, 50, 74, 75, 99, 100].entries()) {
      addDifference(cell, null, report(1_000 * place, depth));
    }
    expect(figuresOf(cell)).toEqual({
      ...{ views: 8, engagedMs: 28_000, averageEngagedMs: 3_500, vitals: [], interacting: null },
      scroll: { p25: 20, p50: 50, p75: 75 },
      reached: [
        { percent: 25, views: 6 },
        { percent: 50, views: 5 },
        { percent: 75, views: 3 },
        { percent: 100, views: 1 },
      ],
    });
  });

  test("percentiles of a vital with its thresholds, and how many were good and poor", () => {
    const cell = emptyCell();
    for (const lcpMs of [1_000, 2_000, 2_500, 2_501, 4_000, 4_001, 9_000]) {
      addDifference(cell, null, report(0, 0, { lcpMs }));
    }
    const [lcp, ...others] = figuresOf(cell).vitals;
    expect(others).toEqual([]);
    expect(lcp).toMatchObject({
      ...{ name: "lcpMs", views: 7, good: 2_500, poor: 4_000 },
      ...{ goodViews: 3, poorViews: 2 },
    });
    expect(Math.abs((lcp?.p75 ?? 0) - 4_001)).toBeLessThan(0.05 * 4_001);
  });

  test("how many views were touched, by how soon; a program's input is no person, and what was not touched is neither", () => {
    const cell = emptyCell();
    const said = (human?: Reported["human"]) => ({ ...report(0, 0), human });
    for (const human of ["0-1s", "0-1s", "30s+", "synthetic", undefined] as const) {
      addDifference(cell, null, said(human));
    }
    addDifference(cell, null, said("synthetic"));
    addDifference(cell, said("synthetic"), said("1-5s"));
    expect(figuresOf(cell)).toMatchObject({ views: 6 });
    expect(figuresOf(cell).interacting).toEqual({
      ...{ people: 4, synthetic: 1 },
      by: [
        { verdict: "0-1s", views: 2 },
        { verdict: "1-5s", views: 1 },
        { verdict: "5-30s", views: 0 },
        { verdict: "30s+", views: 1 },
        { verdict: "synthetic", views: 1 },
      ],
    });
  });

  test("nothing is said of what nobody reported", () => {
    expect(figuresOf(emptyCell())).toMatchObject({
      ...{ averageEngagedMs: 0, scroll: null, vitals: [], interacting: null },
    });
  });
});
