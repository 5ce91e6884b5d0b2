/** Owns: which reports are measured, and what each reads under convex-test. Not: how long they take (bench/report-speed.ts). */
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { api } from "../../convex/_generated/api.js";
import { DIMENSION_NAMES } from "../../domain/rollups/dimension.ts";
import { totalOf } from "../support/bill.ts";
import type { ReportDimension } from "../../convex/model/reports/shapes.ts";
import { runIn } from "../support/deployment.ts";
import { FootfallSite } from "./site.ts";
import { YEAR_SITE, makeYear } from "./year.ts";
import type { Year } from "./year.ts";

export type Range = { from: number; until: number };

export const RANGES = ["24 hours", "30 days", "12 months"] as const;
export type RangeName = (typeof RANGES)[number];

export const REPORT_NAMES = ["summary", "timeseries", "breakdown"] as const;
export type ReportName = (typeof REPORT_NAMES)[number];

export function rangeNamed(name: RangeName, now: number): Range {
  const days = { "24 hours": 1, "30 days": 30, "12 months": 365 }[name];
  return { from: now - days * DAY_MS, until: now };
}

export type ReportCost = { documents: number; ranges: number; kilobytes: number };

/** What each report over each range reads, of a year with so many views; breakdowns by page, and the one that reads most. */
export async function measureReports(views: number): Promise<Map<string, ReportCost>> {
  const year = makeYear(views);
  const site = await FootfallSite.open(year.now);
  try {
    await putYear(site, year);
    const costs = new Map<string, ReportCost>();
    for (const report of REPORT_NAMES) {
      for (const name of RANGES) {
        costs.set(`${report}, ${name}`, await costOf(site, report, rangeNamed(name, year.now)));
      }
    }
    const [dimension, cost] = await costliestBreakdown(site, rangeNamed("12 months", year.now));
    return costs.set(`breakdown by ${dimension}, which reads most, 12 months`, cost);
  } finally {
    site.close();
  }
}

async function putYear(site: FootfallSite, { rollups, sealing }: Year): Promise<void> {
  await runIn(site.deployment, "", async (db) => {
    await db.insert("sites", YEAR_SITE);
    await db.insert("sealing", { site: YEAR_SITE.slug, ...sealing });
    for (const row of rollups) await db.insert("rollups", row);
  });
}

async function costliestBreakdown(
  site: FootfallSite,
  range: Range,
): Promise<[ReportDimension, ReportCost]> {
  const costs: [ReportDimension, ReportCost][] = [];
  for (const name of DIMENSION_NAMES) {
    if (name === "eventProperty") continue;
    costs.push([name, await costOf(site, "breakdown", range, name)]);
  }
  return costs.reduce((most, cost) => (cost[1].kilobytes > most[1].kilobytes ? cost : most));
}

async function costOf(
  site: FootfallSite,
  report: ReportName,
  range: Range,
  dimension: ReportDimension = "path",
): Promise<ReportCost> {
  const { t } = site.deployment;
  const bill = await site.deployment.call(() => {
    if (report === "breakdown") return t.query(api.reports.breakdown, { range, dimension });
    return t.query(api.reports[report], { range });
  });
  const { documentsRead, ranges, readBytes } = totalOf(bill);
  return { documents: documentsRead, ranges, kilobytes: readBytes / 1_000 };
}
