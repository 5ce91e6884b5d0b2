/**
 * Owns: what operators set of a site, and what follows: a changed time zone makes the past anew.
 * Not: reading a site (sites.ts).
 */
import { calendarOf } from "../../domain/calendar/calendar.ts";
import type { Calendar } from "../../domain/calendar/calendar.ts";
import { isTimeZone } from "../../domain/calendar/zones.ts";
import type { MutationCtx } from "../_generated/server.js";
import { callerError } from "../errors.ts";
import { repair } from "./past/asking.ts";
import { changeSealing } from "./past/sealing.ts";
import { findWork } from "./past/work.ts";
import { findSealing } from "./rollups/sealed.ts";
import { readLive } from "./settling.ts";
import { DEFAULT_SITE, findSiteRow, NEW_DEFAULT_SITE } from "./sites.ts";

type Settings = { name?: string; timeZone?: string; retentionDays?: number };

export async function ensureDefault(
  ctx: MutationCtx,
  args: Settings,
): Promise<{ slug: string; name: string; timeZone: string }> {
  assertSettings(args);
  const row = await findSiteRow(ctx, DEFAULT_SITE);
  const before = row ?? NEW_DEFAULT_SITE;
  const { slug, name, timeZone } = { ...before, ...args };
  const { retentionDays } = { ...row, ...args };
  const isSame =
    row?.name === name && row.timeZone === timeZone && row.retentionDays === retentionDays;
  if (row === null) await ctx.db.insert("sites", { slug, name, timeZone, retentionDays });
  else if (!isSame) await ctx.db.patch("sites", row._id, { name, timeZone, retentionDays });
  if (before.timeZone !== timeZone) await changeZone(ctx, slug, calendarOf(timeZone));
  return { slug, name, timeZone };
}

function assertSettings({ timeZone, retentionDays }: Settings): void {
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw callerError(
      "invalid_time_zone",
      `"${timeZone.slice(0, 64)}" is no time zone. Wanted an IANA name, such as Europe/Madrid or UTC.`,
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
async function changeZone(ctx: MutationCtx, site: string, calendar: Calendar): Promise<void> {
  const now = Date.now();
  const live = await readLive(ctx, site);
  if (live === null) return;
  const today = { ...calendar.bucketAt("day", now), views: 0 };
  await ctx.db.patch("live", live._id, { today });
  const work = await findWork(ctx, site);
  if (work !== null) await ctx.db.patch("pastWork", work._id, { task: undefined });
  const sealing = await findSealing(ctx, site);
  if (sealing !== null) {
    const { hoursSince, daysUntil, monthsUntil, publishedUntil } = sealing;
    await changeSealing(ctx, site, {
      hoursSince: calendar.next("day", hoursSince - 1),
      daysUntil: calendar.startOf("day", daysUntil),
      publishedUntil: calendar.startOf("day", publishedUntil),
      monthsUntil: calendar.startOf("month", monthsUntil),
    });
  }
  await repair(ctx, { site });
}
