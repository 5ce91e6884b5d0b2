/**
 * Owns: what a filter of the statistics is: conditions on the values of a view and of its visit, their one form, and
 * whether values meet them.
 * Not: their text in an address (text.ts), or what is counted of the views that meet them (domain/rollups/view.ts).
 *
 * All conditions of a filter must be met. A condition on a dimension of the visit (country, browser, source …) takes
 * whole visits. One on the path takes the views that meet it, and of their visits what a report of one page gives:
 * those that began there, that bounced there, that ended there, the time spent there.
 */
import {
  MAX_FILTER_CONDITIONS,
  MAX_FILTER_VALUES,
  MAX_JOINED_CONDITIONS,
  MAX_PATH_LENGTH,
} from "../limits.ts";
import { matchesStars } from "../path-rules.ts";
import { DIMENSIONS, DIMENSION_NAMES } from "../rollups/dimension.ts";
import type { DimensionName } from "../rollups/dimension.ts";
import { clampLine } from "../text.ts";

/** The path, and what a visit has from its first view to its last. */
export type FilterDimension = {
  [D in DimensionName]: (typeof DIMENSIONS)[D]["scope"] extends "visit" | "page" ? D : never;
}[DimensionName];

export const FILTER_DIMENSIONS: readonly FilterDimension[] = DIMENSION_NAMES.filter(
  (name): name is FilterDimension =>
    DIMENSIONS[name].scope === "visit" || DIMENSIONS[name].scope === "page",
);

/**
 * How a value is held against the condition's values: "is" one of them, or none of them ("isNot"); "contains" one of
 * them, or none ("containsNot"); "matches" one of them, in which `*` stands for any run of characters. The last three
 * do not tell capitals from small letters. "" is "none" or "unknown".
 */
export const FILTER_OPERATORS = ["is", "isNot", "contains", "containsNot", "matches"] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

export type Condition = {
  dimension: FilterDimension;
  operator: FilterOperator;
  /** At least one. */
  values: string[];
};

/** No condition: everything. */
export type Filter = readonly Condition[];

/** What a view says of itself, and of its visit, to a filter. */
export interface Matchable {
  path: string;
  /** A missing one is "". */
  values: Readonly<Partial<Record<FilterDimension, string>>>;
}

/**
 * The one form of a filter: values cleaned, sorted and once each, equal conditions once, all in order. Two filters
 * that ask for the same in other words may differ still; those that differ in order or repetition do not.
 */
export function normalFilter(filter: Filter): Condition[] {
  const conditions = filter.slice(0, MAX_JOINED_CONDITIONS).map(normalCondition);
  const byKey = new Map(conditions.map((condition) => [keyOfCondition(condition), condition]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, condition]) => condition);
}

/** Equal for filters of one normal form, and for no others. */
export function keyOf(filter: Filter): string {
  return JSON.stringify(
    normalFilter(filter).map(({ dimension, operator, values }) => [dimension, operator, ...values]),
  );
}

/** What meets both: all conditions of the one, then those of the other that it does not have. */
export function joinedFilter(one: Filter, other: Filter): Condition[] {
  const known = new Set(one.map((condition) => keyOfCondition(normalCondition(condition))));
  const isNew = (condition: Condition) => !known.has(keyOfCondition(normalCondition(condition)));
  return [...one, ...other.filter(isNew)];
}

/** In words what is wrong with it; null when nothing is. `most`: conditions. */
export function faultOfFilter(filter: Filter, most = MAX_FILTER_CONDITIONS): string | null {
  if (filter.length > most) return `has ${filter.length} conditions; at most ${most}`;
  for (const { dimension, operator, values } of filter) {
    const where = `the condition on ${dimension}`;
    if (values.length === 0) return `${where} has no value; give one, "" for none or unknown`;
    if (values.length > MAX_FILTER_VALUES) {
      return `${where} has ${values.length} values; at most ${MAX_FILTER_VALUES}`;
    }
    const isPart = operator !== "is" && operator !== "isNot";
    if (isPart && values.some((value) => cleanValue(value) === "")) {
      return `${where} wants "${operator}" of nothing, which everything has; give some text`;
    }
  }
  return null;
}

/** Whether a visit is in it as a whole or not at all: no condition is on the path. */
export function takesWholeVisits(filter: Filter): boolean {
  return filter.every(({ dimension }) => dimension !== "path");
}

/** Whether it can be told of what is in no visit, and so has no value but the path of its page. */
export function asksPathsAlone(filter: Filter): boolean {
  return filter.every(({ dimension }) => dimension === "path");
}

/** Whether the values meet every condition. Made once for a filter, for many views. */
export function matcherOf(filter: Filter): (view: Matchable) => boolean {
  const tests = normalFilter(filter).map((condition) => {
    const meets = testOf(condition);
    const { dimension } = condition;
    return (view: Matchable) => meets(valueOf(view, dimension));
  });
  return (view) => tests.every((test) => test(view));
}

function valueOf({ path, values }: Matchable, dimension: FilterDimension): string {
  return dimension === "path" ? path : (values[dimension] ?? "");
}

function testOf({ operator, values }: Condition): (value: string) => boolean {
  const lower = values.map((value) => value.toLowerCase());
  const wanted = new Set(values);
  switch (operator) {
    case "is":
      return (value) => wanted.has(value);
    case "isNot":
      return (value) => !wanted.has(value);
    case "contains":
      return (value) => containsOne(value, lower);
    case "containsNot":
      return (value) => !containsOne(value, lower);
    case "matches":
      return (value) => lower.some((pattern) => matchesStars(pattern, value.toLowerCase()));
  }
  return operator satisfies never;
}

function containsOne(value: string, lower: readonly string[]): boolean {
  const text = value.toLowerCase();
  return lower.some((part) => text.includes(part));
}

function normalCondition({ dimension, operator, values }: Condition): Condition {
  const clean = values.slice(0, MAX_FILTER_VALUES).map(cleanValue);
  return { dimension, operator, values: [...new Set(clean)].sort() };
}

/** As long as the longest value that there is: a path. */
function cleanValue(value: string): string {
  return clampLine(value, MAX_PATH_LENGTH);
}

function keyOfCondition({ dimension, operator, values }: Condition): string {
  return JSON.stringify([dimension, operator, ...values]);
}
