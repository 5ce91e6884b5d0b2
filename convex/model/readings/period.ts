/** Owns: the range that a period in words is on a site. Not: the words (domain/calendar/periods.ts). */
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { parsePeriod, PRESETS, spanOf } from "../../../domain/calendar/periods.ts";
import type { Span } from "../../../domain/calendar/periods.ts";
import type { QueryCtx } from "../../_generated/server.js";
import { callerError, quoted } from "../../errors.ts";
import { readLive } from "../settling.ts";
import { readSite } from "../sites.ts";

/** In the site's zone. Throws `invalid_range` for what is no period, and `unknown_site`. */
export async function rangeOfPeriod(
  ctx: QueryCtx,
  args: { site?: string },
  text: string,
): Promise<Span> {
  const asked = parsePeriod(text);
  if (asked === null) {
    throw callerError(
      "invalid_range",
      `"period" is ${quoted(text)}; wanted ${PRESETS.join(", ")}, or days such as 2026-11-03..2026-11-30.`,
    );
  }
  const { slug, timeZone } = await readSite(ctx, args.site);
  const live = await readLive(ctx, slug);
  const clock = { now: Date.now(), since: live?.trackingSince ?? null };
  const calendar = calendarOf(timeZone);
  if (asked.kind === "days") {
    const { firstDay, lastDay } = asked;
    const [from, last] = [calendar.startOfDate(firstDay), calendar.startOfDate(lastDay)];
    if (from === null || last === null || from > last) {
      throw callerError(
        "invalid_range",
        `"period" is ${quoted(text)}, and there are no such days in ${timeZone}, or not in this order.`,
      );
    }
    return { from, until: calendar.next("day", last) };
  }
  return spanOf(asked, clock, calendar);
}
