/**
 * Owns: which dimensions a roll-up keeps, the number that stands for each in stored bytes, what its values count, and
 * with which others it is stored.
 * Not: how a view gets its values (dimensions/).
 */

/**
 * What the cells of a dimension's values count:
 * - `visit`: the value is the visit's, taken from its first view. Every metric; visitors add up to the total.
 * - `page`: the path. Time, bounce and exit go to the page that they belong to; visitors are distinct per page.
 * - `view`: the value is the view's own. Views, visits that began with it, visitors by their first view.
 * - `clock`: made when hours are sealed, from the totals of the hours.
 * - `event`: of custom events. How many; of a name also its distinct visitors.
 */
export type Scope = "visit" | "page" | "view" | "clock" | "event";

/** Which dimensions of a sealed roll-up are kept together: a report about one reads its group alone. */
export const DIMENSION_GROUPS = ["pages", "times", "sources", "visitors", "events"] as const;
export type DimensionGroup = (typeof DIMENSION_GROUPS)[number];

/** Stored bytes name a dimension by `id`: never reuse one. */
export const DIMENSIONS = {
  path: { id: 1, scope: "page", group: "pages" },
  pageType: { id: 2, scope: "view", group: "visitors" },
  host: { id: 3, scope: "view", group: "visitors" },
  referrerHost: { id: 4, scope: "visit", group: "sources" },
  referrer: { id: 5, scope: "visit", group: "sources" },
  source: { id: 6, scope: "visit", group: "sources" },
  channel: { id: 7, scope: "visit", group: "sources" },
  utmSource: { id: 8, scope: "visit", group: "sources" },
  utmMedium: { id: 9, scope: "visit", group: "sources" },
  utmCampaign: { id: 10, scope: "visit", group: "sources" },
  utmTerm: { id: 11, scope: "visit", group: "sources" },
  utmContent: { id: 12, scope: "visit", group: "sources" },
  browser: { id: 13, scope: "visit", group: "visitors" },
  browserVersion: { id: 14, scope: "visit", group: "visitors" },
  system: { id: 15, scope: "visit", group: "visitors" },
  systemVersion: { id: 16, scope: "visit", group: "visitors" },
  device: { id: 17, scope: "visit", group: "visitors" },
  screen: { id: 18, scope: "visit", group: "visitors" },
  language: { id: 19, scope: "visit", group: "visitors" },
  timeZone: { id: 20, scope: "visit", group: "visitors" },
  country: { id: 21, scope: "visit", group: "visitors" },
  hour: { id: 22, scope: "clock", group: "times" },
  weekdayHour: { id: 23, scope: "clock", group: "times" },
  event: { id: 24, scope: "event", group: "events" },
  eventProperty: { id: 25, scope: "event", group: "events" },
} as const satisfies Record<string, { id: number; scope: Scope; group: DimensionGroup }>;

export type DimensionName = keyof typeof DIMENSIONS;
export type ClockDimension = "hour" | "weekdayHour";
export type EventDimension = "event" | "eventProperty";

const ALL = Object.entries(DIMENSIONS) as [DimensionName, { id: number; scope: Scope }][];

export const DIMENSION_NAMES: readonly DimensionName[] = ALL.map(([name]) => name);

const NAME_OF_ID = new Map(ALL.map(([name, { id }]) => [id, name]));

export function dimensionOfId(id: number): DimensionName | null {
  return NAME_OF_ID.get(id) ?? null;
}

/** The dimensions whose value stands in a view's `values`. */
export type ValueDimension = Exclude<DimensionName, ClockDimension | EventDimension | "path">;

export function namesOfScope(scope: "visit" | "view"): ValueDimension[] {
  return DIMENSION_NAMES.filter((name): name is ValueDimension => DIMENSIONS[name].scope === scope);
}
