/**
 * Owns: reading a five-field cron string, and the first minute after an instant that it names. UTC only.
 * Not: Convex's other kinds of schedule (cron-schedule.ts) or when anything runs (crons.ts).
 *
 * Minute, hour, day of month, month, day of week; lists, ranges, steps and English names. When both the day of month
 * and the day of week are restricted (neither begins with "*"), a day that fits either is meant, as in crontab(5).
 */

export type CronFields = {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly daysOfMonth: ReadonlySet<number>;
  /** 1..12 */
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly daysOfWeek: ReadonlySet<number>;
  readonly dayRule: "both" | "either";
};

type FieldRule = {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  readonly names: readonly string[];
};

const MINUTE_RULE: FieldRule = { name: "minute", first: 0, last: 59, names: [] };
const HOUR_RULE: FieldRule = { name: "hour", first: 0, last: 23, names: [] };
const DAY_OF_MONTH_RULE: FieldRule = { name: "day of month", first: 1, last: 31, names: [] };
const MONTH_RULE: FieldRule = {
  name: "month",
  first: 1,
  last: 12,
  names: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
};
/** 7 is Sunday too, as in every cron. */
const DAY_OF_WEEK_RULE: FieldRule = {
  name: "day of week",
  first: 0,
  last: 7,
  names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"],
};

const MS_PER_DAY = 86_400_000;
/** The calendar repeats after 400 years, but whatever happens at all happens once in 40: a 29 February on a given weekday. */
const MAX_DAYS_AHEAD = 41 * 366;

/** Throws an Error that names the field, what it holds and what it may hold. */
export function parseCron(cron: string): CronFields {
  const texts = cron.trim().split(/\s+/);
  const [minute, hour, dayOfMonth, month, dayOfWeek] = texts;
  if (texts.length !== 5 || !minute || !hour || !dayOfMonth || !month || !dayOfWeek) {
    throw new Error(
      `Cron "${cron}" has ${texts.length} fields; it needs five: minute, hour, day of month, month, day of week.`,
    );
  }
  const field = (text: string, rule: FieldRule): Set<number> => parseField(cron, text, rule);
  const days = [...field(dayOfWeek, DAY_OF_WEEK_RULE)].map((day) => day % 7);
  const fields: CronFields = {
    minutes: field(minute, MINUTE_RULE),
    hours: field(hour, HOUR_RULE),
    daysOfMonth: field(dayOfMonth, DAY_OF_MONTH_RULE),
    months: field(month, MONTH_RULE),
    daysOfWeek: new Set(days),
    dayRule: dayOfMonth.startsWith("*") || dayOfWeek.startsWith("*") ? "both" : "either",
  };
  if (firstMinuteAfter(fields, Date.UTC(2000, 0, 1)) === null) {
    throw new Error(`Cron "${cron}" never happens: no month that it names has such a day.`);
  }
  return fields;
}

function parseField(cron: string, text: string, rule: FieldRule): Set<number> {
  const refuse = (part: string): Error =>
    new Error(
      `Cron "${cron}" has "${part}" as ${rule.name}; wanted ${rule.first}-${rule.last}` +
        `${rule.names.length > 0 ? ` or ${rule.names[0]}-${rule.names.at(-1)}` : ""}, ` +
        `a list (1,2), a range (1-5) or a step (*/5).`,
    );
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const range = parsePart(part, rule);
    if (range === null) throw refuse(part);
    for (let value = range.from; value <= range.to; value += range.step) values.add(value);
  }
  return values;
}

type SteppedRange = { readonly from: number; readonly to: number; readonly step: number };

/** "*", "5", "1-5", each with "/n" behind; "5/n" goes on to the end, as in most crons. */
function parsePart(part: string, rule: FieldRule): SteppedRange | null {
  const match = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/.exec(part);
  if (!match) return null;
  const [, fromText, toText, stepText] = match;
  const step = stepText === undefined ? 1 : Number(stepText);
  const from = fromText === undefined ? rule.first : parseNumber(fromText, rule);
  const to = endOfPart(fromText, toText, stepText, rule, from);
  if (from === null || to === null || step < 1 || from > to) return null;
  return { from, to, step };
}

function endOfPart(
  fromText: string | undefined,
  toText: string | undefined,
  stepText: string | undefined,
  rule: FieldRule,
  from: number | null,
): number | null {
  if (toText !== undefined) return parseNumber(toText, rule);
  return fromText === undefined || stepText !== undefined ? rule.last : from;
}

function parseNumber(text: string, rule: FieldRule): number | null {
  const named = rule.names.indexOf(text.toUpperCase());
  if (named >= 0) return rule.first + named;
  if (!/^\d+$/.test(text)) return null;
  const value = Number(text);
  return value >= rule.first && value <= rule.last ? value : null;
}

/** Epoch ms of the first minute that begins after `afterMs` and fits; null when there is none. */
export function firstMinuteAfter(fields: CronFields, afterMs: number): number | null {
  const today = Math.floor(afterMs / MS_PER_DAY) * MS_PER_DAY;
  for (let ahead = 0; ahead <= MAX_DAYS_AHEAD; ahead++) {
    const day = today + ahead * MS_PER_DAY;
    if (!fitsDay(fields, new Date(day))) continue;
    const minute = firstMinuteOfDay(fields, day, afterMs);
    if (minute !== null) return minute;
  }
  return null;
}

function fitsDay(fields: CronFields, day: Date): boolean {
  if (!fields.months.has(day.getUTCMonth() + 1)) return false;
  const fitsMonth = fields.daysOfMonth.has(day.getUTCDate());
  const fitsWeek = fields.daysOfWeek.has(day.getUTCDay());
  return fields.dayRule === "both" ? fitsMonth && fitsWeek : fitsMonth || fitsWeek;
}

function firstMinuteOfDay(fields: CronFields, day: number, afterMs: number): number | null {
  for (let hour = 0; hour < 24; hour++) {
    if (!fields.hours.has(hour)) continue;
    for (let minute = 0; minute < 60; minute++) {
      const at = day + (hour * 60 + minute) * 60_000;
      if (at > afterMs && fields.minutes.has(minute)) return at;
    }
  }
  return null;
}
