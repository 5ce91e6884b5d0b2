/**
 * Owns: a filter as the text that stands in an address, and back: `country:is:DE|AT;path:matches:/blog/*`.
 * Not: what it means (filter.ts).
 *
 * `;` ends a condition and `|` a value; within a value they, and the backslash itself, follow a backslash.
 */
import { FILTER_DIMENSIONS, FILTER_OPERATORS, faultOfFilter, normalFilter } from "./filter.ts";
import type { Condition, Filter, FilterDimension, FilterOperator } from "./filter.ts";

/** Of a filter in its normal form; "" is no filter. */
export function filterText(filter: Filter): string {
  return normalFilter(filter)
    .map(
      ({ dimension, operator, values }) =>
        `${dimension}:${operator}:${values.map(escaped).join("|")}`,
    )
    .join(";");
}

/** In its normal form. Null for a text that is none, or that asks for too much. */
export function parseFilter(text: string): Condition[] | null {
  if (text === "") return [];
  const conditions: Condition[] = [];
  for (const part of splitAt(text, ";")) {
    const condition = parseCondition(part);
    if (condition === null) return null;
    conditions.push(condition);
  }
  return faultOfFilter(conditions) === null ? normalFilter(conditions) : null;
}

function parseCondition(text: string): Condition | null {
  const [, dimension = "", operator = "", rest = ""] = /^(\w+):(\w+):(.*)$/su.exec(text) ?? [];
  if (!isDimension(dimension) || !isOperator(operator)) return null;
  const values = splitAt(rest, "|").map((value) => value.replace(/\\(.)/gsu, "$1"));
  return { dimension, operator, values };
}

function isDimension(name: string): name is FilterDimension {
  return FILTER_DIMENSIONS.some((known) => known === name);
}

function isOperator(name: string): name is FilterOperator {
  return FILTER_OPERATORS.some((known) => known === name);
}

function escaped(value: string): string {
  return value.replace(/[\\;|]/g, "\\$&");
}

/** The pieces between marks that follow no backslash. */
function splitAt(text: string, mark: ";" | "|"): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === mark) {
      pieces.push(text.slice(from, at));
      from = at + 1;
    }
  }
  pieces.push(text.slice(from));
  return pieces;
}
