/**
 * Owns: how much a site is used: views and events by day and by month, as an operator asks for them.
 * Not: the reports that they come from (reports/).
 */
import { calendarOf } from "../../domain/calendar/calendar.ts";
import { DAY_MS } from "../../domain/calendar/civil.ts";
import type { QueryCtx } from "../_generated/server.js";
import { dayName } from "./past/days.ts";
import { timeseries } from "./reports/reports.ts";
import type { SiteUsage } from "./siteShapes.ts";
import { readSite } from "./sites.ts";

const LISTED_DAYS = 31;
const LISTED_MONTHS_DAYS = 365;
const MONTH_NAME_LENGTH = "2026-11".length;

/** What is rolled up: `stats:settle` brings it up to this instant. The oldest first. */
export async function usageOf(ctx: QueryCtx, args: { site: string }): Promise<SiteUsage> {
  const { slug: site, timeZone } = await readSite(ctx, args.site);
  const calendar = calendarOf(timeZone);
  const until = Date.now();
  const nameOf = (startsAt: number) => dayName(calendar, startsAt);
  const byDay = await timeseries(ctx, {
    ...{ site, unit: "day" },
    range: { from: until - (LISTED_DAYS - 1) * DAY_MS, until },
  });
  const byMonth = await timeseries(ctx, {
    ...{ site, unit: "month" },
    range: { from: calendar.startOf("month", until - LISTED_MONTHS_DAYS * DAY_MS), until },
  });
  return {
    days: byDay.points.map(({ startsAt, views, events }) => ({
      day: nameOf(startsAt),
      ...{ views, events },
    })),
    months: byMonth.points.map(({ startsAt, views, events }) => ({
      month: nameOf(startsAt).slice(0, MONTH_NAME_LENGTH),
      ...{ views, events },
    })),
  };
}
