/**
 * Owns: which dimensions a roll-up keeps, the number that stands for each in stored bytes, and what its values count.
 * Not: how a view gets its values (dimensions/).
 */

/**
 * What the cells of a dimension's values count:
 * - `visit`: the value is the visit's, taken from its first view. Every metric; visitors add up to the total.
 * - `page`: the path. Time, bounce and exit go to the page that they belong to; visitors are distinct per page.
 * - `view`: the value is the view's own. Views, visits that began with it, visitors by their first view.
 * - `clock`: made when hours are sealed, from the totals of the hours.
 */
export type Scope = "visit" | "page" | "view" | "clock";

/** Stored bytes name a dimension by `id`: never reuse one. */
export const DIMENSIONS = {
  path: { id: 1, scope: "page" },
  pageType: { id: 2, scope: "view" },
  host: { id: 3, scope: "view" },
  referrerHost: { id: 4, scope: "visit" },
  referrer: { id: 5, scope: "visit" },
  source: { id: 6, scope: "visit" },
  channel: { id: 7, scope: "visit" },
  utmSource: { id: 8, scope: "visit" },
  utmMedium: { id: 9, scope: "visit" },
  utmCampaign: { id: 10, scope: "visit" },
  utmTerm: { id: 11, scope: "visit" },
  utmContent: { id: 12, scope: "visit" },
  browser: { id: 13, scope: "visit" },
  browserVersion: { id: 14, scope: "visit" },
  system: { id: 15, scope: "visit" },
  systemVersion: { id: 16, scope: "visit" },
  device: { id: 17, scope: "visit" },
  screen: { id: 18, scope: "visit" },
  language: { id: 19, scope: "visit" },
  timeZone: { id: 20, scope: "visit" },
  country: { id: 21, scope: "visit" },
  hour: { id: 22, scope: "clock" },
  weekdayHour: { id: 23, scope: "clock" },
} as const satisfies Record<string, { id: number; scope: Scope }>;

export type DimensionName = keyof typeof DIMENSIONS;
export type ClockDimension = "hour" | "weekdayHour";

const ALL = Object.entries(DIMENSIONS) as [DimensionName, { id: number; scope: Scope }][];

export const DIMENSION_NAMES: readonly DimensionName[] = ALL.map(([name]) => name);

const NAME_OF_ID = new Map(ALL.map(([name, { id }]) => [id, name]));

export function dimensionOfId(id: number): DimensionName | null {
  return NAME_OF_ID.get(id) ?? null;
}

/** The dimensions whose value stands in a view's `values`. */
export type ValueDimension = Exclude<DimensionName, ClockDimension | "path">;

export function namesOfScope(scope: "visit" | "view"): ValueDimension[] {
  return DIMENSION_NAMES.filter((name): name is ValueDimension => DIMENSIONS[name].scope === scope);
}
