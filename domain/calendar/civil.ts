/**
 * Owns: arithmetic on local wall-clock time, held as milliseconds "as if it were UTC".
 * Not: zones; a local time alone does not say which instant it was.
 */

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const WEEK_DAYS = 7;

/** When the UTC day of an instant begins: of what is bounded or kept secret by the day, whatever a site's zone. */
export function utcDayOf(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}

/** 1970-01-01 was a Thursday: three days after the Monday on which its ISO week began. */
const EPOCH_DAYS_SINCE_MONDAY = 3;

export type DateUnit = "day" | "week" | "month";

/** The local midnight at which the day, ISO week or month of a local time begins. */
export function startOfLocal(unit: DateUnit, localMs: number): number {
  const day = Math.floor(localMs / DAY_MS);
  switch (unit) {
    case "day":
      return day * DAY_MS;
    case "week":
      return (day - daysSinceMonday(day)) * DAY_MS;
    case "month": {
      const date = new Date(localMs);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    }
    default:
      return unit satisfies never;
  }
}

/** The local midnight at which the unit after the one that begins at `startLocalMs` begins. */
export function nextLocal(unit: DateUnit, startLocalMs: number): number {
  switch (unit) {
    case "day":
      return startLocalMs + DAY_MS;
    case "week":
      return startLocalMs + WEEK_DAYS * DAY_MS;
    case "month": {
      const date = new Date(startLocalMs);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    }
    default:
      return unit satisfies never;
  }
}

/** 1 = Monday … 7 = Sunday. */
export function isoWeekday(localMs: number): number {
  return daysSinceMonday(Math.floor(localMs / DAY_MS)) + 1;
}

/** `2026-11-01` */
export function isoDate(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 10);
}

/** The local midnight of `2026-11-01`; null when that is no date of the calendar. */
export function parseIsoDate(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const localMs = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(localMs) || isoDate(localMs) !== text) return null;
  return localMs;
}

function daysSinceMonday(day: number): number {
  return (((day + EPOCH_DAYS_SINCE_MONDAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS;
}
