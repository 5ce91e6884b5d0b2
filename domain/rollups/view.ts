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

/** A view as one part of all views has it: of those that meet a filter. In the whole, every view is in. */
export interface MatchedView {
  view: LoggedView;
  isIn: boolean;
  /** Whether the visit's view before it is. False on the visit's first. */
  wasIn: boolean;
  /** When this visitor's view of the part before this one was; null when there was none. */
  visitorBeforeAt: number | null;
  /** The same of this path. */
  pathBeforeAt: number | null;
}

/** A new roll-up: `rollup` and the views, which all lie in its bucket, together. */
export function addViews(rollup: Rollup, views: Iterable<LoggedView>, calendar: Calendar): Rollup {
  const sum = merge([rollup]);
  for (const view of views) {
    const { visitorLastSeenAt, pathLastSeenAt, visitSequence } = view;
    const before = { visitorBeforeAt: visitorLastSeenAt, pathBeforeAt: pathLastSeenAt };
    const matched = { view, isIn: true, wasIn: visitSequence > 1, ...before };
    addView(sum, matched, { calendar, hasWholeVisits: true });
  }
  return foldTails(withoutZeros(sum), MAX_HOUR_VALUES);
}

type How = {
  calendar: Calendar;
  /** False where a visit may be in the part with some of its views alone: then the part has exits, as a page has. */
  hasWholeVisits: boolean;
};

/** The same of a part of the views. Those that are not in it matter where the visit's view before is. */
export function addMatchedViews(rollup: Rollup, views: Iterable<MatchedView>, how: How): Rollup {
  const sum = merge([rollup]);
  for (const view of views) addView(sum, view, how);
  return foldTails(withoutZeros(sum), MAX_HOUR_VALUES);
}

function addView(rollup: Rollup, matched: MatchedView, { calendar, hasWholeVisits }: How): void {
  const { view, isIn, wasIn, visitorBeforeAt, pathBeforeAt } = matched;
  assertCountable(rollup, view, calendar);
  if (view.visitSequence === IN_NO_VISIT) {
    if (isIn) addViewOfNobody(rollup, view);
    return;
  }
  if (!isIn && !wasIn) return;
  const exits = hasWholeVisits ? 0 : 1;
  const visitorBefore = isIn ? activeBefore(rollup, visitorBeforeAt, calendar) : null;
  const add = (cell: Cell) => {
    if (isIn) enter(cell, view, exits);
    if (wasIn) goOn(cell, view, exits);
    if (visitorBefore !== null) addVisitors(cell, visitorBefore, 1);
  };
  add(rollup.total);
  for (const dimension of VISIT_DIMENSIONS) add(valueCell(rollup, dimension, view));
  if (isIn) addOwnValues(rollup, view, visitorBefore);
  const pages = valuesOf(rollup, "path");
  if (wasIn) goOn(cellOf(pages, view.previousPath ?? ""), view, 1);
  if (!isIn) return;
  const page = cellOf(pages, view.path);
  enter(page, view, 1);
  const pathBefore = activeBefore(rollup, pathBeforeAt, calendar);
  if (pathBefore !== null) addVisitors(page, pathBefore, 1);
}

function addOwnValues(rollup: Rollup, view: LoggedView, visitorBefore: number | null): void {
  for (const dimension of VIEW_DIMENSIONS) {
    const cell = valueCell(rollup, dimension, view);
    cell.views += 1;
    if (view.visitSequence === 1) cell.visits += 1;
    if (visitorBefore !== null) addVisitors(cell, visitorBefore, 1);
  }
}

/** It is a view of everything that it has a value of, and no visit, exit or visitor of any. */
function addViewOfNobody(rollup: Rollup, view: LoggedView): void {
  rollup.total.views += 1;
  for (const dimension of [...VISIT_DIMENSIONS, ...VIEW_DIMENSIONS]) {
    valueCell(rollup, dimension, view).views += 1;
  }
  cellOf(valuesOf(rollup, "path"), view.path).views += 1;
}

/** A view that begins a visit is a bounce until the next. Whatever view is the last one is the visit's exit. */
function enter(cell: Cell, { visitSequence }: LoggedView, exits: number): void {
  cell.views += 1;
  cell.exits += exits;
  if (visitSequence !== 1) return;
  cell.visits += 1;
  cell.bounces += 1;
}

/** What the view before has of it: the gap was spent there; it is neither the exit any more nor, at the second view, a bounce. */
function goOn(cell: Cell, view: LoggedView, exits: number): void {
  cell.exits -= exits;
  cell.durationMs += gapMs(view);
  if (view.visitSequence === 2) cell.bounces -= 1;
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
