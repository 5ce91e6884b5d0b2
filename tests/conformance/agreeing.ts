/**
 * Owns: that the screen, the JSON over HTTP, the CSV and the badge give the same answer to the same question, over
 * random histories.
 * Not: whether the answer is right (invariants.ts), or any one of the four.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { csvText } from "../../domain/csv.ts";
import { parseFilter } from "../../domain/filters/text.ts";
import { breakdownTable, summaryTable } from "../../src/stats/exports/reports.ts";
import { formatCount } from "../../src/stats/formats.ts";
import { filterArgument } from "../../src/stats/period/filtering.ts";
import { breakdownList } from "../../src/stats/period/listRows.ts";
import { metricOf } from "../../src/stats/period/metrics.ts";
import { STARTS_AT, liveStory, play } from "./played-history.ts";
import type { CreateRuntime } from "./runtime.ts";
import { tell } from "./site.ts";
import type { Site } from "./site.ts";

const COUNTS = ["views", "visits", "visitors"] as const;
/** As in an address; "" is none. Counted when it is asked for, so that no answer is of a part of the days. */
const FILTERS = ["", "path:matches:/p*;referrerHost:isNot:news.example"];
const DIMENSIONS = ["path", "referrerHost", "browser"] as const;

type Figures = Readonly<Record<(typeof COUNTS)[number], number>>;

export function agreeing(create: CreateRuntime, { runs }: { runs: number }): void {
  describe("agreeing", () => {
    test("screen, JSON, CSV and badge give the same answer to the same question", () =>
      fc.assert(
        fc.asyncProperty(liveStory, (story) =>
          tell(
            create,
            async (site) => {
              await play(site, story);
              await site.runtime.mutation(internal.sites.set, { badge: true });
              for (const filter of FILTERS) {
                for (const period of ["today", "7d"]) {
                  await expectSameFigures(site, { period, filter });
                }
                for (const dimension of DIMENSIONS) {
                  await expectSameRows(site, { dimension, filter });
                }
              }
              await expectSameBadge(site);
            },
            STARTS_AT,
          ),
        ),
        { numRuns: runs },
      ));
  });
}

async function expectSameFigures(
  site: Site,
  { period, filter }: { period: string; filter: string },
): Promise<void> {
  type Answer = Figures & { from: number; until: number };
  const json = await read<Answer>(site, `summary?period=${period}${filterIn(filter)}`);
  const range = { from: json.from, until: json.until };
  const summary = await site.runtime.query(api.reports.summary, { range, ...filtered(filter) });
  expect(summary.progress?.done, filter).toBe(summary.progress?.total);
  const [header = [], row = []] = cells(csvText(summaryTable(summary)));
  for (const name of COUNTS) {
    expect(metricOf(name, summary, []).value, name).toBe(formatCount(json[name]));
    expect(Number(row[header.indexOf(name)]), name).toBe(json[name]);
  }
}

async function expectSameRows(
  site: Site,
  { dimension, filter }: { dimension: (typeof DIMENSIONS)[number]; filter: string },
): Promise<void> {
  type Row = Figures & { value: string };
  const path = `breakdown?period=7d&dimension=${dimension}${filterIn(filter)}`;
  const json = await read<{ from: number; until: number; rows: Row[] }>(site, path);
  const range = { from: json.from, until: json.until };
  const asked = { range, dimension, ...filtered(filter) };
  const breakdown = await site.runtime.query(api.reports.breakdown, asked);
  const screen = breakdownList(breakdown, { dimension, rankBy: "views" });
  const [header = [], ...csv] = cells(csvText(breakdownTable(breakdown)));
  expect(screen.rows.map(({ key, strong }) => [key, strong])).toEqual(
    json.rows.map(({ value, views }) => [value, formatCount(views)]),
  );
  expect(
    csv.map((row) => [row[0], ...COUNTS.map((name) => Number(row[header.indexOf(name)]))]),
  ).toEqual(json.rows.map((row) => [row.value, ...COUNTS.map((name) => row[name])]));
}

function filterIn(text: string): string {
  return text === "" ? "" : `&filter=${encodeURIComponent(text)}`;
}

/** As the screen asks it. */
function filtered(text: string) {
  return filterArgument(parseFilter(text) ?? []);
}

/** Once who timed out is gone, as while somebody has /stats open. */
async function expectSameBadge(site: Site): Promise<void> {
  await site.sweep();
  await site.settle();
  const stats = await site.settled();
  const today = await read<Figures>(site, "summary?period=today");
  expect(await badge(site, "total")).toContain(`>${formatCount(stats.totalPageViews)} view`);
  expect(await badge(site, "today")).toContain(`>${formatCount(today.views)} view`);
  expect(await badge(site, "live")).toContain(
    `>${formatCount(stats.activeVisitors ?? -1)} reading now`,
  );
}

async function badge(site: Site, shows: string): Promise<string> {
  const answer = await site.runtime.fetch(`/badge/default.svg?shows=${shows}`, { method: "GET" });
  return await answer.text();
}

async function read<Answer>(site: Site, path: string): Promise<Answer> {
  const answer = await site.runtime.fetch(`/v1/stats/${path}`, { method: "GET" });
  expect(answer.status, path).toBe(200);
  return (await answer.json()) as Answer;
}

/** No value of a story has a comma, a quote or a line end. */
function cells(csv: string): string[][] {
  const lines = csv
    .replace(/^\uFEFF/, "")
    .trim()
    .split("\r\n");
  return lines.map((line) => line.split(",").map((cell) => cell.replace(/^"(.*)"$/, "$1")));
}
