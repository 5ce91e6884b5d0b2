/** Owns: what a click or a form makes of a filter, and what it allows to be asked. Not: its meaning (domain/filters/). */
import { FILTER_DIMENSIONS, normalFilter } from "../../../domain/filters/filter.ts";
import type { Condition, Filter, FilterDimension } from "../../../domain/filters/filter.ts";
import { MAX_FILTER_CONDITIONS } from "../../../domain/limits.ts";
import type { ViewDimension } from "./address.ts";

export function isFilterDimension(dimension: ViewDimension): dimension is FilterDimension {
  return FILTER_DIMENSIONS.some((known) => known === dimension);
}

/** Whether the filter asks of this dimension for this value alone. */
export function asksFor(filter: Filter, dimension: ViewDimension, value: string): boolean {
  return filter.some(
    (condition) =>
      condition.dimension === dimension &&
      condition.operator === "is" &&
      condition.values.length === 1 &&
      condition.values[0] === value,
  );
}

/** A row was chosen: of its dimension that value alone, besides what is asked of others; chosen again, of it nothing. */
export function chosen(filter: Filter, dimension: FilterDimension, value: string): Condition[] {
  const others = filter.filter(
    (condition) => condition.dimension !== dimension || condition.operator !== "is",
  );
  if (asksFor(filter, dimension, value)) return [...others];
  return ofWhatFits([...others, { dimension, operator: "is", values: [value] }]);
}

/** With one more condition; one of the same kind gets its values. */
export function withCondition(filter: Filter, added: Condition): Condition[] {
  const isLike = ({ dimension, operator }: Condition) =>
    dimension === added.dimension && operator === added.operator;
  const like = filter.filter(isLike).flatMap(({ values }) => values);
  const others = filter.filter((condition) => !isLike(condition));
  return ofWhatFits([...others, { ...added, values: [...like, ...added.values] }]);
}

function ofWhatFits(filter: Filter): Condition[] {
  return normalFilter(filter.slice(0, MAX_FILTER_CONDITIONS));
}

export function without(filter: Filter, place: number): Condition[] {
  return filter.filter((_, at) => at !== place);
}

/** The one page that it asks for; null where it asks for anything else. What pages report of their use is known of that, and of all. */
export function onePageOf(filter: Filter): string | null {
  const [condition, ...others] = filter;
  if (condition === undefined || others.length > 0) return null;
  const { dimension, operator, values } = condition;
  const isOne = dimension === "path" && operator === "is" && values.length === 1;
  return isOne ? (values[0] ?? null) : null;
}

/** Whether it is known of what meets the filter how pages were used: of all, and of one page. */
export function knowsUse(filter: Filter): boolean {
  return filter.length === 0 || onePageOf(filter) !== null;
}

/** As an argument of a report; nothing where there is no filter. */
export function filterArgument(filter: Filter): { filter?: Condition[] } {
  return filter.length === 0 ? {} : { filter: [...filter] };
}
