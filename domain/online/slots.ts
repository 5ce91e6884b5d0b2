/**
 * Owns: how many were online at most in each five minutes of a local day: which slot an instant is in, and what a
 * course of arrivals and departures leaves in the slots that it passes.
 * Not: keeping them (convex/model/online.ts), or drawing them (src/stats/now/curve.ts).
 *
 * A slot is counted from the beginning of its local day, so a day of 23 or 25 hours has 276 or 300 of them. Nobody says
 * anything while a count stays: a slot without a change has the count of the one before.
 */
import type { Calendar } from "../calendar/calendar.ts";
import { back } from "../calendar/periods.ts";
import { MINUTE_MS } from "../minutes.ts";

export const SLOT_MS = 5 * MINUTE_MS;

/**
 * For so long a count is believed without any arrival or departure. Past it nobody counted (the engine was off), rather
 * than that somebody sat there the whole time.
 */
export const BELIEVED_MS = 60 * MINUTE_MS;

/** The slot under way: when it begins, and the most in it so far. */
export type Slot = { readonly startsAt: number; readonly most: number };

/** At an instant, `by` more or fewer were online. */
export type Change = { readonly at: number; readonly by: number };

/** How it stood at `at`; `slot` is missing before the first. */
export type Standing = { readonly at: number; readonly online: number; readonly slot?: Slot };

/** When the slot of `at` begins. */
export function slotOf(at: number, calendar: Calendar): number {
  const day = calendar.startOf("day", at);
  return day + Math.floor((at - day) / SLOT_MS) * SLOT_MS;
}

const DAYS_OF_A_WEEK = 7;

/** When the same weekday a week before began: the day with which that of `at` is compared. */
export function weekBefore(at: number, calendar: Calendar): number {
  return back("day", at, DAYS_OF_A_WEEK, calendar);
}

/** The slots that are over by `now`, in the order of time, and the one under way. Changes may come in any order. */
export function follow(
  before: Standing,
  changes: readonly Change[],
  { now, calendar }: { now: number; calendar: Calendar },
): { over: Slot[]; slot: Slot } {
  const since = Math.min(before.at, now);
  const over: Slot[] = [];
  let online = Math.max(0, before.online);
  let sum = before.online;
  let slot = before.slot ?? { startsAt: slotOf(since, calendar), most: online };
  let changedAt = since;

  const passTo = (at: number) => {
    while (slot.startsAt + SLOT_MS <= at) {
      over.push(slot);
      const next = slot.startsAt + SLOT_MS;
      const isBelieved = next <= changedAt + BELIEVED_MS;
      slot = isBelieved
        ? { startsAt: next, most: online }
        : { startsAt: slotOf(at, calendar), most: 0 };
    }
  };
  for (const change of [...changes].sort((one, other) => one.at - other.at)) {
    const at = Math.max(since, Math.min(now, change.at));
    passTo(at);
    sum += change.by;
    online = Math.max(0, sum);
    slot = { startsAt: slot.startsAt, most: Math.max(slot.most, online) };
    changedAt = at;
  }
  passTo(now);
  return { over, slot };
}

/** The most of each slot of a day, from its first on; later ones are not over, or nobody was there. */
export type Peaks = readonly number[];

/** With the slots of that day put in; the same object where that says nothing new. Zeros at the end are left out. */
export function withSlots(peaks: Peaks, dayStartsAt: number, slots: readonly Slot[]): Peaks {
  let changed: number[] | null = null;
  for (const { startsAt, most } of slots) {
    const place = Math.floor((startsAt - dayStartsAt) / SLOT_MS);
    const known: Peaks = changed ?? peaks;
    if (most <= (known[place] ?? 0)) continue;
    changed ??= [...peaks];
    while (changed.length < place) changed.push(0);
    changed[place] = most;
  }
  return changed ?? peaks;
}

/** The other way: the slots of a day in which somebody was. */
export function slotsOf(peaks: Peaks, dayStartsAt: number): Slot[] {
  return peaks.flatMap((most, place) =>
    most > 0 ? [{ startsAt: dayStartsAt + place * SLOT_MS, most }] : [],
  );
}
