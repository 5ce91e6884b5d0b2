/**
 * Owns: what a schedule of `cronJobs()` means: when it is due first, and when next.
 * Not: cron strings (cron-fields.ts), or what has run already (crons.ts).
 */
import { firstMinuteAfter, parseCron } from "./cron-fields.ts";
import type { CronFields } from "./cron-fields.ts";

export type Schedule =
  | { readonly kind: "interval"; readonly everyMs: number }
  | { readonly kind: "calendar"; readonly fields: CronFields };

const DAYS_OF_WEEK = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

type ScheduleJson = Readonly<Record<string, unknown>>;

/**
 * Reads one schedule of `cronJobs().export()`. Where the minute is left to us, `identity` (any text that stays the same
 * for this cron) picks it, so that crons spread over the hour and each keeps its minute. Throws an Error that says what is wrong.
 */
export function parseSchedule(schedule: ScheduleJson, identity: string): Schedule {
  const minute = (): number => optionalNumber(schedule, "minuteUTC", 0, 59) ?? minuteFor(identity);
  const hour = (): number => number(schedule, "hourUTC", 0, 23);
  switch (schedule["type"]) {
    case "interval":
      return { kind: "interval", everyMs: intervalMs(schedule) };
    case "hourly":
      return calendar(`${minute()} * * * *`);
    case "daily":
      return calendar(`${minute()} ${hour()} * * *`);
    case "weekly":
      return calendar(`${minute()} ${hour()} * * ${dayOfWeek(schedule)}`);
    case "monthly":
      return calendar(`${minute()} ${hour()} ${number(schedule, "day", 1, 31)} * *`);
    case "cron":
      if (typeof schedule["cron"] === "string") return calendar(schedule["cron"]);
      throw wrong(schedule, "cron", "a cron string");
    default:
      throw wrong(schedule, "type", "interval, hourly, daily, weekly, monthly or cron");
  }
}

function calendar(cron: string): Schedule {
  return { kind: "calendar", fields: parseCron(cron) };
}

function intervalMs(schedule: ScheduleJson): number {
  const seconds = optionalNumber(schedule, "seconds", 1, Number.MAX_SAFE_INTEGER);
  const minutes = optionalNumber(schedule, "minutes", 1, Number.MAX_SAFE_INTEGER);
  const hours = optionalNumber(schedule, "hours", 1, Number.MAX_SAFE_INTEGER);
  const everyMs = 1_000 * (seconds ?? 0) + 60_000 * (minutes ?? 0) + 3_600_000 * (hours ?? 0);
  if (everyMs === 0) throw wrong(schedule, "seconds", "seconds, minutes or hours");
  return everyMs;
}

function dayOfWeek(schedule: ScheduleJson): number {
  const day = DAYS_OF_WEEK.indexOf(String(schedule["dayOfWeek"]));
  if (day < 0) throw wrong(schedule, "dayOfWeek", 'a day like "monday"');
  return day;
}

function number(schedule: ScheduleJson, field: string, min: number, max: number): number {
  const value = optionalNumber(schedule, field, min, max);
  if (value === undefined) throw wrong(schedule, field, `an integer from ${min} to ${max}`);
  return value;
}

function optionalNumber(
  schedule: ScheduleJson,
  field: string,
  min: number,
  max: number,
): number | undefined {
  const value = schedule[field];
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) {
    return value;
  }
  throw wrong(schedule, field, `an integer from ${min} to ${max}`);
}

function wrong(schedule: ScheduleJson, field: string, wanted: string): Error {
  return new Error(
    `The schedule ${JSON.stringify(schedule)} has ${JSON.stringify(schedule[field])} as ${field}; wanted ${wanted}.`,
  );
}

function minuteFor(identity: string): number {
  let sum = 0;
  for (let i = 0; i < identity.length; i++) sum = (sum * 31 + identity.charCodeAt(i)) >>> 0;
  return sum % 60;
}

/** Epoch ms of the first run of a schedule that begins now: an interval runs at once, as on Convex. */
export function firstRun(schedule: Schedule, now: number): number {
  return schedule.kind === "interval" ? now : nextRun(schedule, now);
}

/** Epoch ms of the first run after the run at `afterMs`. */
export function nextRun(schedule: Schedule, afterMs: number): number {
  if (schedule.kind === "interval") return afterMs + schedule.everyMs;
  const at = firstMinuteAfter(schedule.fields, afterMs);
  if (at === null) throw new Error("A cron string that never happens got past its parser.");
  return at;
}

/** Epoch ms of the first run after both the run at `slotAt` and `now`: what was missed is skipped, an interval keeps its beat. */
export function nextRunAfterMissed(schedule: Schedule, slotAt: number, now: number): number {
  if (schedule.kind === "calendar") return nextRun(schedule, Math.max(slotAt, now));
  const missed = Math.max(0, Math.floor((now - slotAt) / schedule.everyMs));
  return slotAt + (missed + 1) * schedule.everyMs;
}
