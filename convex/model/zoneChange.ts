/**
 * Owns: what another time zone of a site does to its past.
 * Not: setting it (settings.ts), or making days anew (past/work.ts).
 */
import type { Calendar } from "../../domain/calendar/calendar.ts";
import type { MutationCtx } from "../_generated/server.js";
import { dropDaysFrom } from "./filters/store.ts";
import { moveOnlineDays } from "./online.ts";
import { repair } from "./past/asking.ts";
import { changeSealing, ensureSealing, markStale, readOldestAt } from "./past/sealing.ts";
import { findWork } from "./past/work.ts";
import { readLive } from "./settling.ts";

/**
 * From now on hours and days are those of the new zone. What is there is made anew from the log, day by day; days
 * whose rows are gone stay as they were.
 */
export async function changeZone(
  ctx: MutationCtx,
  site: string,
  { before, after }: { before: Calendar; after: Calendar },
): Promise<void> {
  await dropDaysFrom(ctx, site, 0);
  await moveOnlineDays(ctx, site, after);
  const live = await readLive(ctx, site);
  if (live === null) return;
  const today = { ...after.bucketAt("day", Date.now()), views: 0 };
  await ctx.db.patch("live", live._id, { today });
  const work = await findWork(ctx, site);
  if (work !== null) await ctx.db.patch("pastWork", work._id, { task: undefined });
  const sealing = await ensureSealing(ctx, site, before);
  if (sealing === null) return;
  const oldest = (await readOldestAt(ctx, site)) ?? Date.now();
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
