/** Owns: how /stats writes numbers, times and durations. Not: which ones it shows. */

const countFormat = new Intl.NumberFormat("en-US");
const percentFormat = new Intl.NumberFormat("en-US", {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Stands where a number is undefined, such as a share of nothing. */
export const UNDEFINED_MARK = "–";

/** Full digits: 167,195. */
export function formatCount(value: number): string {
  return countFormat.format(value);
}

/** Half of the last digit that is shown: less than this would read as nothing. */
const SMALLEST_SHARE = 0.0005;

/** A share of 0..1 as 19.1%; an undefined one as a dash; one that would round to nothing as <0.1%. */
export function formatShare(share: number | null): string {
  if (share === null) return UNDEFINED_MARK;
  return share > 0 && share < SMALLEST_SHARE ? "<0.1%" : percentFormat.format(share);
}

export type Zoned = { readonly timeZone: string };

const formats = new Map<string, Intl.DateTimeFormat>();

/** A zone that this browser does not know (an older one than the server's) falls back to UTC. */
function zonedFormat(style: "time" | "seconds" | "day", timeZone: string): Intl.DateTimeFormat {
  const key = `${style} ${timeZone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = createFormat(style, timeZone);
  formats.set(key, format);
  return format;
}

function createFormat(style: "time" | "seconds" | "day", timeZone: string): Intl.DateTimeFormat {
  const fields: Intl.DateTimeFormatOptions =
    style === "day"
      ? { day: "numeric", month: "short", year: "numeric" }
      : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  if (style === "seconds") fields.second = "2-digit";
  try {
    return new Intl.DateTimeFormat("en-US", { ...fields, timeZone });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new Intl.DateTimeFormat("en-US", { ...fields, timeZone: "UTC" });
  }
}

/** Time of day in the site's zone: 14:32. */
export function formatTime(at: number, { timeZone }: Zoned): string {
  return zonedFormat("time", timeZone).format(at);
}

/** Time of day with seconds: 14:32:09. */
export function formatSeconds(at: number, { timeZone }: Zoned): string {
  return zonedFormat("seconds", timeZone).format(at);
}

/** Day in the site's zone: 3 Nov 2026. Put together by hand: British English has "Sept", American the month first. */
export function formatDay(at: number, { timeZone }: Zoned): string {
  const parts = zonedFormat("day", timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((one) => one.type === type)?.value ?? "";
  return `${part("day")} ${part("month")} ${part("year")}`;
}

/** Of whole days, [from, until) in epoch ms: the first and the last, or the only one. */
export function formatDays({ from, until }: { from: number; until: number }, zone: Zoned): string {
  const [first, last] = [formatDay(from, zone), formatDay(until - 1, zone)];
  return first === last ? first : `${first} – ${last}`;
}

/** A remaining time, in the coarsest unit that still says something: "20 s", "4 min", "2 h 5 min". Never "0 s". */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(1, Math.ceil(durationMs / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
