/**
 * Owns: the arithmetic of a site's headline: its sums, its local day, its last minutes.
 * Not: online by path, which needs the path rows (panels.ts).
 */
import { calendarOf } from "../../domain/calendar/calendar.ts";
import { packCounts, unpackCounts } from "../../domain/counts.ts";
import { addToMinutes, emptyMinutes, minuteOf, rollMinutes } from "../../domain/minutes.ts";
import type { Minutes } from "../../domain/minutes.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { Tally } from "./tally.ts";

export type Headline = Omit<Doc<"live">, "_id" | "_creationTime">;

type Today = Headline["today"];

export function emptyHeadline(site: string, timeZone: string, now: number): Headline {
  return {
    site,
    totalViews: 0,
    uniqueVisitors: 0,
    online: 0,
    today: { ...calendarOf(timeZone).bucketAt("day", now), views: 0 },
    minutes: packed(emptyMinutes(now)),
    settledAt: now,
  };
}

/** True when the day or the minutes would look different at `now` though nothing was counted. */
export function isOutdated(headline: Headline, now: number): boolean {
  const isMinuteOver = headline.minutes.newestAt < minuteOf(now);
  const isDayOver = now >= headline.today.endsAt;
  return (
    (isMinuteOver && minutesOf(headline).views.some((views) => views > 0)) ||
    (isDayOver && headline.today.views > 0)
  );
}

/** The headline at `now` with the tally added. */
export function addToHeadline(
  headline: Headline,
  sum: Tally,
  { timeZone, now }: { timeZone: string; now: number },
): Headline {
  const today = rollToday(headline.today, timeZone, now);
  const viewsToday = sum.timestamps.filter((at) => isWithin(today, at)).length;
  const trackingSince = earliest(headline.trackingSince, sum.firstAt);
  return {
    ...headline,
    totalViews: headline.totalViews + sum.views,
    uniqueVisitors: headline.uniqueVisitors + sum.createdVisitors,
    online: headline.online + sum.online,
    today: { ...today, views: today.views + viewsToday },
    minutes: packed(addToMinutes(rollMinutes(minutesOf(headline), now), sum.timestamps)),
    ...(trackingSince === undefined ? {} : { trackingSince }),
    settledAt: now,
  };
}

/** The same day, or the day of `now` without views yet. */
function rollToday(today: Today, timeZone: string, now: number): Today {
  return isWithin(today, now) ? today : { ...calendarOf(timeZone).bucketAt("day", now), views: 0 };
}

function isWithin(day: Pick<Today, "startsAt" | "endsAt">, at: number): boolean {
  return at >= day.startsAt && at < day.endsAt;
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

/** As the row keeps them. */
function packed({ newestAt, views }: Minutes): Headline["minutes"] {
  return { newestAt, views: packCounts(views) };
}

export function minutesOf({ minutes: { newestAt, views } }: Headline): Minutes {
  return { newestAt, views: unpackCounts(views) };
}
