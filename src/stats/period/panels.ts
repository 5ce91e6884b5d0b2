/**
 * Owns: which breakdowns there are, what each counts, and up to when they reach.
 * Not: their rows on screen (BreakdownTable.tsx).
 */
import type { FunctionReturnType } from "convex/server";
import type { api } from "../../../convex/_generated/api.js";
import type { texts } from "../texts.ts";
import type { ViewDimension } from "./address.ts";
import type { Span } from "../../../domain/calendar/periods.ts";
import type { Period } from "./usePeriod.ts";

export type Breakdown = FunctionReturnType<typeof api.reports.breakdown>;
export type BreakdownRow = Breakdown["rows"][number];

export type EventsReport = FunctionReturnType<typeof api.reports.events>;
export type EventProperties = FunctionReturnType<typeof api.reports.eventProperties>;
export type LeftOut = FunctionReturnType<typeof api.reports.leftOut>;

export type RankBy = "views" | "visits" | "visitors" | "exits";

/** Views are counted whoever made them; all else needs to know who. */
export function isCountedByVisitor(rankBy: RankBy): boolean {
  return rankBy !== "views";
}

export const FEW_ROWS = 8;

export type Tab = {
  readonly name: keyof typeof texts.period.tabs;
  readonly dimension: ViewDimension;
  readonly rankBy: RankBy;
};

export type Panel = {
  readonly name: keyof typeof texts.period.panels;
  readonly tabs: readonly Tab[];
};

const tab = (name: Tab["name"], dimension: ViewDimension, rankBy: RankBy): Tab => ({
  name,
  dimension,
  rankBy,
});

export const PAGE_TABS: readonly Tab[] = [
  tab("period", "path", "views"),
  tab("entries", "path", "visits"),
  tab("exits", "path", "exits"),
];

export const SOURCE_PANEL: Panel = {
  name: "sources",
  tabs: [
    tab("sources", "source", "visits"),
    tab("channels", "channel", "visits"),
    tab("referrers", "referrer", "visits"),
    tab("campaigns", "utmCampaign", "visits"),
  ],
};

export const PLACE_PANEL: Panel = {
  name: "places",
  tabs: [
    tab("countries", "country", "visitors"),
    tab("languages", "language", "visitors"),
    tab("zones", "timeZone", "visitors"),
  ],
};

export const DEVICE_PANEL: Panel = {
  name: "devices",
  tabs: [
    tab("browsers", "browser", "visitors"),
    tab("systems", "system", "visitors"),
    tab("devices", "device", "visitors"),
    tab("screens", "screen", "visitors"),
  ],
};

/**
 * A breakdown reads every value of its hours. On a site with more views a day than this, that is too much to do with
 * every batch of them: there the breakdowns reach to the last full hour, which changes once an hour.
 */
const LIVE_UP_TO_VIEWS_TODAY = 2_000;

export type Reach = { readonly range: Span; readonly isToLastHour: boolean };

/** What a list is asked for, so that one that failed is asked again when it is something else. */
export function askedOf({ range }: Reach, tab = ""): string {
  return `${tab} ${range.from}..${range.until}`;
}

export function reachOf(
  { span, isOpen, calendar }: Period,
  { viewsToday, now }: { viewsToday: number; now: number },
): Reach {
  const hour = calendar.startOf("hour", now);
  const isToLastHour = isOpen && viewsToday > LIVE_UP_TO_VIEWS_TODAY && hour > span.from;
  return { range: isToLastHour ? { from: span.from, until: hour } : span, isToLastHour };
}
