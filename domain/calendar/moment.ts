/**
 * Owns: which day or moment a person means who writes it: "2026-11-30", "2026-11-30 14:30", or an instant such as
 * "2026-11-30T13:30Z".
 * Not: periods (periods.ts).
 *
 * Without a zone it is the site's. Of an hour that the clock shows twice the first is meant; one that it skips is none.
 */
import { MINUTE_MS } from "../minutes.ts";
import type { Calendar } from "./calendar.ts";

/** `day` where no time was said: then `at` is its beginning, in the zone of now. */
export type Moment = { readonly at: number; readonly day: string | null };

const DAY_AND_TIME = /^(\d{4}-\d\d-\d\d)(?:[ T]([01]\d|2[0-3]):([0-5]\d))?$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Null when the text says no day or moment, or one that the zone does not have. */
export function readMoment(text: string, calendar: Calendar): Moment | null {
  const said = text.trim();
  if (INSTANT.test(said)) {
    const at = Date.parse(said);
    return Number.isNaN(at) ? null : { at, day: null };
  }
  const [, day, hour, minute] = DAY_AND_TIME.exec(said) ?? [];
  if (day === undefined) return null;
  const startsAt = calendar.startOfDate(day);
  if (startsAt === null) return null;
  if (hour === undefined || minute === undefined) return { at: startsAt, day };
  const at = momentOf(startsAt, { hour: Number(hour), minute: Number(minute) }, calendar);
  return at === null ? null : { at, day: null };
}

function momentOf(
  startsAt: number,
  { hour, minute }: { hour: number; minute: number },
  calendar: Calendar,
): number | null {
  const hours = calendar.between("hour", startsAt, calendar.next("day", startsAt));
  const start = hours.find((one) => calendar.localTime(one).hour === hour);
  const at = start === undefined ? null : start + minute * MINUTE_MS;
  return at !== null && calendar.localTime(at).hour === hour ? at : null;
}
