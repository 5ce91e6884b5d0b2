/**
 * Owns: how many were online in each five minutes of today, beside the same weekday a week before: which slot stands
 * beside which, what is not recorded yet, the most, and the same by hours.
 * Not: drawing it (OnlineCurve.tsx), or recording it (convex/model/online.ts).
 *
 * Slots stand beside each other by the clock on the wall. An hour that today has twice stands beside the one of the week
 * before both times; of one that the week before had twice, the more is shown; beside one that it did not have, nothing.
 */
import type { FunctionReturnType } from "convex/server";
import type { api } from "../../../convex/_generated/api.js";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { MINUTE_MS } from "../../../domain/minutes.ts";

export type OnlineByTime = NonNullable<FunctionReturnType<typeof api.now.onlineByTime>>;
type Day = OnlineByTime["day"];

export type CurveSlot = {
  readonly startsAt: number;
  /** Null of what is ahead. */
  readonly today: number | null;
  /** Null where the week before has no such time, or nothing was recorded. */
  readonly before: number | null;
};

export type Curve = {
  readonly slots: readonly CurveSlot[];
  /** Place of the slot under way; -1 when the day is over. */
  readonly current: number;
};

/** What the headline says: how many are online, as of `settledAt`. */
export type Online = { readonly now: number; readonly online: number; readonly settledAt: number };

export function curveOf(
  { day, weekBefore, slotMs }: OnlineByTime,
  live: Online,
  calendar: Calendar,
): Curve {
  const starts = slotsOf(day, slotMs);
  const beforeAt = weekBefore === null ? null : byClock(weekBefore, slotMs, calendar);
  const placeOf = (at: number) => Math.floor((at - day.startsAt) / slotMs);
  const current = placeOf(live.now) < starts.length ? placeOf(live.now) : -1;
  const last = current < 0 ? starts.length - 1 : current;
  const settled = placeOf(live.settledAt);
  const slots = starts.map((startsAt, place) => {
    const recorded = day.peaks[place] ?? 0;
    // Since it was settled nothing has changed; before that, what is not recorded was nobody.
    const isSince = place >= settled || place === current;
    const today = place > last ? null : isSince ? Math.max(recorded, live.online) : recorded;
    const before = beforeAt === null ? null : (beforeAt.get(clockOf(startsAt, calendar)) ?? null);
    return { startsAt, today, before };
  });
  return { slots, current };
}

function slotsOf({ startsAt, endsAt }: Day, slotMs: number): number[] {
  const count = Math.ceil((endsAt - startsAt) / slotMs);
  return Array.from({ length: count }, (_, place) => startsAt + place * slotMs);
}

function byClock(day: Day, slotMs: number, calendar: Calendar): Map<number, number> {
  const most = new Map<number, number>();
  for (const [place, startsAt] of slotsOf(day, slotMs).entries()) {
    const clock = clockOf(startsAt, calendar);
    most.set(clock, Math.max(most.get(clock) ?? 0, day.peaks[place] ?? 0));
  }
  return most;
}

const MINUTES_OF_AN_HOUR = 60;

/** Minutes of the day as the clock on the wall has them. */
function clockOf(at: number, calendar: Calendar): number {
  const minutes = Math.floor((at - calendar.startOf("hour", at)) / MINUTE_MS);
  return calendar.localTime(at).hour * MINUTES_OF_AN_HOUR + minutes;
}

export type Most = { readonly count: number; readonly at: number };

/** The first time of the most; null when nobody was there, or nothing is known. */
export function mostOf(slots: readonly CurveSlot[], of: "today" | "before"): Most | null {
  let most: Most | null = null;
  for (const slot of slots) {
    const count = slot[of] ?? 0;
    if (count > (most?.count ?? 0)) most = { count, at: slot.startsAt };
  }
  return most;
}

/** The most of each hour, for the table. */
export function hoursOf(slots: readonly CurveSlot[], calendar: Calendar): CurveSlot[] {
  return grouped(slots, ({ startsAt }) => calendar.startOf("hour", startsAt));
}

/** Of a day: a line of more points is a blot on a phone. */
const SLOTS_OF_A_POINT = 3;

/** The most of each quarter of an hour, for the drawing: days begin with one. */
export function pointsOf({ slots, current }: Curve): Curve {
  const firstOf = (place: number) => slots[place - (place % SLOTS_OF_A_POINT)]?.startsAt ?? 0;
  return {
    slots: grouped(slots, (_slot, place) => firstOf(place)),
    current: current < 0 ? -1 : Math.floor(current / SLOTS_OF_A_POINT),
  };
}

function grouped(
  slots: readonly CurveSlot[],
  startOf: (slot: CurveSlot, place: number) => number,
): CurveSlot[] {
  const groups: CurveSlot[] = [];
  for (const [place, slot] of slots.entries()) {
    const startsAt = startOf(slot, place);
    const last = groups.at(-1);
    if (last?.startsAt !== startsAt) groups.push({ ...slot, startsAt });
    else {
      const [today, before] = [larger(last.today, slot.today), larger(last.before, slot.before)];
      groups[groups.length - 1] = { startsAt, today, before };
    }
  }
  return groups;
}

function larger(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

const TICK_HOURS: ReadonlySet<number> = new Set([0, 3, 6, 9, 12, 15, 18, 21]);

/** Places at which a labelled hour begins, each hour of the clock once. */
export function tickPlaces(slots: readonly CurveSlot[], calendar: Calendar): number[] {
  const seen = new Set<number>();
  return slots.flatMap(({ startsAt }, place) => {
    const minutes = clockOf(startsAt, calendar);
    const hour = minutes / MINUTES_OF_AN_HOUR;
    if (!TICK_HOURS.has(hour) || seen.has(hour)) return [];
    seen.add(hour);
    return [place];
  });
}

/** A line through the middles of as many equal places, as a path; it is broken where there is no value. `top` is the height. */
export function linePath(values: readonly (number | null)[], top: number): string {
  let isDrawing = false;
  const points = values.map((value, place) => {
    if (value === null) {
      isDrawing = false;
      return "";
    }
    const point = `${isDrawing ? "L" : "M"}${place + 0.5} ${top - value}`;
    isDrawing = true;
    return point;
  });
  return points.join("");
}
