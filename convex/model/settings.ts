/**
 * Owns: what operators set of a site, and what follows: a changed time zone makes the past anew.
 * Not: reading a site (sites.ts).
 */
import { calendarOf } from "../../domain/calendar/calendar.ts";
import type { Calendar } from "../../domain/calendar/calendar.ts";
import { isTimeZone } from "../../domain/calendar/zones.ts";
import { COUNTRY_HEADERS } from "../../domain/dimensions/place.ts";
import type { MutationCtx } from "../_generated/server.js";
import { callerError } from "../errors.ts";
import { repair } from "./past/asking.ts";
import { changeSealing, ensureSealing, markStale, readOldestRow } from "./past/sealing.ts";
import { findWork } from "./past/work.ts";
import { readLive } from "./settling.ts";
import { DEFAULT_SITE, findSiteRow, NEW_DEFAULT_SITE } from "./sites.ts";

type Settings = {
  name?: string;
  timeZone?: string;
  retentionDays?: number;
  countryHeader?: string | null;
};

export async function ensureDefault(
  ctx: MutationCtx,
  args: Settings,
): Promise<{ slug: string; name: string; timeZone: string }> {
  assertSettings(args);
  const row = await findSiteRow(ctx, DEFAULT_SITE);
  const before = row ?? NEW_DEFAULT_SITE;
  const { slug } = before;
  const { name = before.name, timeZone = before.timeZone } = args;
  const { retentionDays, ...given } = { ...row, ...args };
  const countryHeader = given.countryHeader ?? undefined;
  const settings = { name, timeZone, retentionDays, countryHeader };
  const isSame =
    row?.name === name &&
    row.timeZone === timeZone &&
    row.retentionDays === retentionDays &&
    row.countryHeader === countryHeader;
  if (row === null) await ctx.db.insert("sites", { slug, ...settings });
  else if (!isSame) await ctx.db.patch("sites", row._id, settings);
  if (before.timeZone !== timeZone) {
    const zones = { before: calendarOf(before.timeZone), after: calendarOf(timeZone) };
    await changeZone(ctx, slug, zones);
  }
  return { slug, name, timeZone };
}

function assertSettings({ timeZone, retentionDays, countryHeader }: Settings): void {
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw callerError(
      "invalid_time_zone",
      `"${timeZone.slice(0, 64)}" is no time zone. Wanted an IANA name, such as Europe/Madrid or UTC.`,
    );
  }
  const names: readonly string[] = COUNTRY_HEADERS;
  if (typeof countryHeader === "string" && !names.includes(countryHeader)) {
    throw callerError(
      "invalid_country_header",
      `"${countryHeader.slice(0, 64)}" is no header that states a country. Wanted one of ${names.join(", ")}, or null.`,
    );
  }
  if (retentionDays !== undefined && !(retentionDays >= 1)) {
    throw callerError(
      "invalid_range",
      `Rows cannot be kept for ${retentionDays} days; wanted at least 1.`,
    );
  }
}

/**
 * From now on hours and days are those of the new zone. What is there is made anew from the log, day by day; days
 * whose rows are gone stay as they were.
 */
async function changeZone(
  ctx: MutationCtx,
  site: string,
  { before, after }: { before: Calendar; after: Calendar },
): Promise<void> {
  const live = await readLive(ctx, site);
  if (live === null) return;
  const today = { ...after.bucketAt("day", Date.now()), views: 0 };
  await ctx.db.patch("live", live._id, { today });
  const work = await findWork(ctx, site);
  if (work !== null) await ctx.db.patch("pastWork", work._id, { task: undefined });
  const sealing = await ensureSealing(ctx, site, before);
  if (sealing === null) return;
  const oldest = (await readOldestRow(ctx, site))?.timestamp ?? Date.now();
  // The old day and month of the first row may begin before the new ones do, and must not stay beside them.
  const firstDay = before.startOf("day", Math.max(oldest, sealing.rowsSince));
  const firstMonth = before.startOf("month", firstDay);
  const { hoursSince, daysUntil, monthsUntil, publishedUntil } = sealing;
  await changeSealing(ctx, site, {
    hoursSince: after.next("day", hoursSince - 1),
    daysUntil: after.startOf("day", daysUntil),
    publishedUntil: after.startOf("day", publishedUntil),
    monthsUntil: after.startOf("month", Math.min(monthsUntil, firstMonth)),
  });
  await repair(ctx, { site });
  await markStale(ctx, site, { instants: [firstDay], calendar: after, isForced: true });
}
