/**
 * Owns: what one counted view adds to the roll-up of its hour or day, and nothing to any other.
 * Not: where its facts come from (visit.ts), how often this runs (convex/).
 */
import type { Calendar } from "../calendar/calendar.ts";
import { type Cell, NEVER, addVisitors } from "./cell.ts";
import { type ValueDimension, namesOfScope } from "./dimension.ts";
import { type Rollup, cellOf, merge, valuesOf, withoutZeros } from "./rollup.ts";
import { MAX_HOUR_VALUES, foldTails } from "./tail.ts";
import { IN_NO_VISIT, type ViewFacts } from "./visit.ts";

export interface LoggedView extends ViewFacts {
  /** Epoch ms; never before `visitorLastSeenAt`. */
  at: number;
  path: string;
  /** The view's own values and its visit's; a missing one is "". */
  values: Readonly<Partial<Record<ValueDimension, string>>>;
}

/** The last one that a Date can hold. */
export const LAST_INSTANT = 8.64e15;

export const VISIT_DIMENSIONS = namesOfScope("visit");
const VIEW_DIMENSIONS = namesOfScope("view");

/** A new roll-up: `rollup` and the views, which all lie in its bucket, together. */
export function addViews(rollup: Rollup, views: Iterable<LoggedView>, calendar: Calendar): Rollup {
  const sum = merge([rollup]);
  for (const view of views) addView(sum, view, calendar);
  return foldTails(withoutZeros(sum), MAX_HOUR_VALUES);
}

function addView(rollup: Rollup, view: LoggedView, calendar: Calendar): void {
  assertCountable(rollup, view, calendar);
  if (view.visitSequence === IN_NO_VISIT) return addViewOfNobody(rollup, view);
  const visitorBefore = activeBefore(rollup, view.visitorLastSeenAt, calendar);
  addVisit(rollup.total, view, visitorBefore);
  for (const dimension of VISIT_DIMENSIONS) {
    addVisit(valueCell(rollup, dimension, view), view, visitorBefore);
  }
  for (const dimension of VIEW_DIMENSIONS) {
    const cell = valueCell(rollup, dimension, view);
    cell.views += 1;
    if (view.visitSequence === 1) cell.visits += 1;
    if (visitorBefore !== null) addVisitors(cell, visitorBefore, 1);
  }
  addPage(rollup, view, activeBefore(rollup, view.pathLastSeenAt, calendar));
}

/** It is a view of everything that it has a value of, and no visit, exit or visitor of any. */
function addViewOfNobody(rollup: Rollup, view: LoggedView): void {
  rollup.total.views += 1;
  for (const dimension of [...VISIT_DIMENSIONS, ...VIEW_DIMENSIONS]) {
    valueCell(rollup, dimension, view).views += 1;
  }
  cellOf(valuesOf(rollup, "path"), view.path).views += 1;
}

/** The total, or the cell of a visit's value: the second view takes back the bounce, each further one adds its gap. */
function addVisit(cell: Cell, view: LoggedView, visitorBefore: number | null): void {
  cell.views += 1;
  if (view.visitSequence === 1) {
    cell.visits += 1;
    cell.bounces += 1;
  } else {
    if (view.visitSequence === 2) cell.bounces -= 1;
    cell.durationMs += gapMs(view);
  }
  if (visitorBefore !== null) addVisitors(cell, visitorBefore, 1);
}

/** The gap was spent on the page before; that page is neither the exit any more nor, at the second view, a bounce. */
function addPage(rollup: Rollup, view: LoggedView, pathBefore: number | null): void {
  const pages = valuesOf(rollup, "path");
  const page = cellOf(pages, view.path);
  page.views += 1;
  page.exits += 1;
  if (view.visitSequence === 1) {
    page.visits += 1;
    page.bounces += 1;
  } else {
    const left = cellOf(pages, view.previousPath ?? "");
    left.exits -= 1;
    left.durationMs += gapMs(view);
    if (view.visitSequence === 2) left.bounces -= 1;
  }
  if (pathBefore !== null) addVisitors(page, pathBefore, 1);
}

/** The bucket of the time before, `NEVER`, or null: they were already active in this bucket. */
export function activeBefore(
  rollup: Rollup,
  lastAt: number | null,
  calendar: Calendar,
): number | null {
  if (lastAt === null) return NEVER;
  if (lastAt >= rollup.startsAt) return null;
  return calendar.startOf(rollup.unit === "hour" ? "hour" : "day", lastAt);
}

function valueCell(rollup: Rollup, dimension: ValueDimension, view: LoggedView): Cell {
  return cellOf(valuesOf(rollup, dimension), view.values[dimension] ?? "");
}

/** Of whole milliseconds, so that the gaps of a visit add up to its length even if a clock gave fractions. */
function gapMs(view: LoggedView): number {
  return Math.floor(view.at) - Math.floor(view.lastEventAt ?? view.visitorLastSeenAt ?? view.at);
}

function assertCountable(rollup: Rollup, view: LoggedView, calendar: Calendar): void {
  assertConsistent(view);
  if (rollup.unit === "month" || calendar.startOf(rollup.unit, view.at) !== rollup.startsAt) {
    throw new Error(
      `A view at ${view.at} was given to the ${rollup.unit} ${rollup.startsAt}; ` +
        "views go to the hour or day that they lie in.",
    );
  }
}

/** Throws when the view cannot be counted: an instant is none, or its facts contradict each other. */
export function assertConsistent(view: LoggedView): void {
  const { at, visitorLastSeenAt, lastEventAt, pathLastSeenAt, visitSequence, previousPath } = view;
  const continues = visitSequence > 1;
  const isNobodys = visitSequence === IN_NO_VISIT;
  const instants = [at, visitorLastSeenAt ?? at, lastEventAt ?? at, pathLastSeenAt ?? at];
  if (
    instants.some((instant) => !(instant >= 0 && instant <= at && instant <= LAST_INSTANT)) ||
    !Number.isInteger(visitSequence) ||
    visitSequence < IN_NO_VISIT ||
    (isNobodys && (visitorLastSeenAt !== null || pathLastSeenAt !== null)) ||
    continues !== (previousPath !== null) ||
    (continues && visitorLastSeenAt === null) ||
    (lastEventAt !== null && !(continues && lastEventAt >= (visitorLastSeenAt ?? at)))
  ) {
    throw new Error(
      `The facts of the view at ${at} contradict each other: sequence ${visitSequence}, previous path ` +
        `${JSON.stringify(previousPath)}, last seen ${visitorLastSeenAt} (this path ${pathLastSeenAt}), last event ${lastEventAt}. ` +
        "Derive them with factsOf().",
    );
  }
}
