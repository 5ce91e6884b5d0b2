/** Owns: what follows when a view is rolled up after its day was sealed. Not: making the day anew (work.ts). */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import type { MutationCtx } from "../../_generated/server.js";
import { findSealing } from "../rollups/sealed.ts";
import { startReroll } from "./asking.ts";
import { markStale } from "./sealing.ts";

export async function remakeSealed(
  ctx: MutationCtx,
  site: string,
  { hours, calendar }: { hours: Iterable<number>; calendar: Calendar },
): Promise<void> {
  const sealing = await findSealing(ctx, site);
  if (sealing === null) return;
  const instants = [...hours].filter((startsAt) => startsAt < sealing.daysUntil);
  if (instants.length === 0) return;
  await markStale(ctx, site, { instants, calendar });
  await startReroll(ctx, site);
}
