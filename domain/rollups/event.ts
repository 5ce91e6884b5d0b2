/**
 * Owns: what one custom event adds to the roll-up of its hour or day: its name, its properties, and, when it is
 * interactive and a visit was open, what it changes of that visit.
 * Not: where its facts come from (visit.ts), what a view adds (view.ts).
 *
 * Everything is a sum: the first interactive event of a visit with one view takes back its bounce, each adds its gap
 * as duration. Visitors of the site are those who viewed, so an event adds none; of a name, those who sent it.
 */
import type { Calendar } from "../calendar/calendar.ts";
import { type Cell, addVisitors } from "./cell.ts";
import type { ValueDimension } from "./dimension.ts";
import { propertyValue } from "./property.ts";
import { type Rollup, cellOf, merge, valuesOf, withoutZeros } from "./rollup.ts";
import { MAX_HOUR_VALUES, foldTails } from "./tail.ts";
import { LAST_INSTANT, VISIT_DIMENSIONS, activeBefore } from "./view.ts";
import type { EventFacts } from "./visit.ts";

export interface LoggedEvent {
  /** Epoch ms. */
  at: number;
  name: string;
  properties: readonly (readonly [key: string, value: string])[];
  /** When this visitor's event of this name before this one was; null on the first. */
  nameLastSeenAt: number | null;
  /** Its sender is not told apart from anybody, so it counts for no visitor. */
  isOfNobody?: boolean;
  /** Null: it is not interactive, or no visit was open. */
  visit: (EventFacts & { values: Readonly<Partial<Record<ValueDimension, string>>> }) | null;
}

/** An event as one part of all of them has it: of those that meet a filter. In the whole, every event is in. */
export interface MatchedEvent {
  event: LoggedEvent;
  isIn: boolean;
  /** Whether the last view of its visit is. False where it is in no visit. */
  wasIn: boolean;
  /** When this visitor's event of this name in the part before this one was; null when there was none. */
  nameBeforeAt: number | null;
}

/** A new roll-up: `rollup` and the events, which all lie in its bucket, together. */
export function addEvents(
  rollup: Rollup,
  events: Iterable<LoggedEvent>,
  calendar: Calendar,
): Rollup {
  const all = Array.from(events, (event) => {
    return { event, isIn: true, wasIn: event.visit !== null, nameBeforeAt: event.nameLastSeenAt };
  });
  return addMatchedEvents(rollup, all, calendar);
}

/** The same of a part of the events. Those that are not in it matter where the visit's last view is. */
export function addMatchedEvents(
  rollup: Rollup,
  events: Iterable<MatchedEvent>,
  calendar: Calendar,
): Rollup {
  const sum = merge([rollup]);
  for (const event of events) addEvent(sum, event, calendar);
  return foldTails(withoutZeros(sum), MAX_HOUR_VALUES);
}

function addEvent(rollup: Rollup, matched: MatchedEvent, calendar: Calendar): void {
  const { event, isIn, wasIn } = matched;
  assertInBucket(rollup, event, calendar);
  if (isIn) addOccurrence(rollup, matched, calendar);
  if (event.visit === null || !wasIn) return;
  extendVisit(rollup.total, event.at, event.visit);
  for (const dimension of VISIT_DIMENSIONS) {
    const cell = cellOf(valuesOf(rollup, dimension), event.visit.values[dimension] ?? "");
    extendVisit(cell, event.at, event.visit);
  }
  extendVisit(cellOf(valuesOf(rollup, "path"), event.visit.previousPath), event.at, event.visit);
}

function addOccurrence(
  rollup: Rollup,
  { event, nameBeforeAt }: MatchedEvent,
  calendar: Calendar,
): void {
  const { name, properties, isOfNobody = false } = event;
  rollup.total.events += 1;
  const named = cellOf(valuesOf(rollup, "event"), name);
  named.events += 1;
  const before = activeBefore(rollup, nameBeforeAt, calendar);
  if (before !== null && !isOfNobody) addVisitors(named, before, 1);
  for (const [key, value] of properties) {
    cellOf(valuesOf(rollup, "eventProperty"), propertyValue({ name, key }, value)).events += 1;
  }
}

/** Of whole milliseconds, as the gaps of views. */
function extendVisit(cell: Cell, at: number, { visitSequence, lastActiveAt }: EventFacts): void {
  if (visitSequence === 2) cell.bounces -= 1;
  cell.durationMs += Math.floor(at) - Math.floor(lastActiveAt);
}

function assertInBucket(rollup: Rollup, event: LoggedEvent, calendar: Calendar): void {
  assertConsistentEvent(event);
  if (rollup.unit !== "month" && calendar.startOf(rollup.unit, event.at) === rollup.startsAt)
    return;
  throw new Error(
    `An event at ${event.at} was given to the ${rollup.unit} ${rollup.startsAt}; ` +
      "events go to the hour or day that they lie in.",
  );
}

/** Throws when the event cannot be counted: an instant is none, or its facts contradict each other. */
export function assertConsistentEvent({ at, name, nameLastSeenAt, visit }: LoggedEvent): void {
  const instants = [at, nameLastSeenAt ?? at, visit?.lastActiveAt ?? at];
  const isInTime = instants.every(
    (instant) => instant >= 0 && instant <= at && instant <= LAST_INSTANT,
  );
  const isPlaced =
    visit === null || (Number.isInteger(visit.visitSequence) && visit.visitSequence >= 2);
  if (isInTime && isPlaced && name !== "") return;
  throw new Error(
    `The facts of the event ${JSON.stringify(name.slice(0, 64))} at ${at} contradict each other: last of its name ` +
      `${nameLastSeenAt}, sequence ${visit?.visitSequence} after ${visit?.lastActiveAt}.`,
  );
}
