/**
 * Owns: the days that a caller names: `2026-11-30`, a local day of the site, both ends included.
 * Not: what is asked about them.
 */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { callerError } from "../../errors.ts";

/** [from, until) in epoch ms; null where the caller left an end out. */
export type DaySpan = { from: number | null; until: number | null };

/** Throws `invalid_range`. */
export function spanOf(calendar: Calendar, args: { from?: string; to?: string }): DaySpan {
  const from = args.from === undefined ? null : startOf(calendar, "from", args.from);
  const last = args.to === undefined ? null : startOf(calendar, "to", args.to);
  if (from !== null && last !== null && last < from) {
    throw callerError(
      "invalid_range",
      `"to" (${args.to}) is before "from" (${args.from}). Both days are included; give them in order.`,
    );
  }
  return { from, until: last === null ? null : calendar.next("day", last) };
}

export function dayName(calendar: Calendar, at: number): string {
  return calendar.localTime(at).date;
}

function startOf(calendar: Calendar, name: string, date: string): number {
  const startsAt = calendar.startOfDate(date);
  if (startsAt !== null) return startsAt;
  throw callerError(
    "invalid_range",
    `"${name}" is not a day in ${calendar.timeZone}: got "${date.slice(0, 32)}", wanted one such as 2026-11-30.`,
  );
}
