/**
 * Owns: what follows when a reader asks for a filter: it is made, or kept up, for as long as they go on asking; and
 * which filters are kept.
 * Not: making it (work.ts), answering under it (answering.ts).
 */
import { faultOfFilter } from "../../../domain/filters/filter.ts";
import type { Filter } from "../../../domain/filters/filter.ts";
import { FILTER_ASK_INTERVAL_MS, FILTER_KEPT_UP_MS } from "../../../domain/intervals.ts";
import { MAX_JOINED_CONDITIONS, MAX_KEPT_FILTERS } from "../../../domain/limits.ts";
import type { MutationCtx } from "../../_generated/server.js";
import { callerError } from "../../errors.ts";
import { mayAskNewFilter } from "../limits.ts";
import { readOldestAt } from "../past/sealing.ts";
import { readScope } from "../reports/range.ts";
import type { ReportRange } from "../reports/shapes.ts";
import { readSite } from "../sites.ts";
import { ensureWorker } from "../waking.ts";
import { cursorsOf, dropOpenDays, findFilter, insertFilter, letGo, listFilters } from "./store.ts";
import type { FilterRow } from "./store.ts";
import { advanceOne, ensureFilterChain, isKeptUp } from "./work.ts";

/** Throws `unknown_site`, `invalid_range`, `invalid_filter` or `too_many_filters`. */
export async function ask(
  ctx: MutationCtx,
  args: { site?: string; range: ReportRange; filter: Filter },
): Promise<null> {
  assertFilter(args.filter);
  const { site, calendar, from } = await readScope(ctx, args);
  if (args.filter.length === 0) return null;
  const now = Date.now();
  const oldest = (await readOldestAt(ctx, site)) ?? now;
  const wantedFrom = calendar.startOf("day", Math.min(now, Math.max(from, oldest)));
  const found = await findFilter(ctx, site, args.filter);
  if (found !== null) await keepUp(ctx, found, { wantedFrom, now });
  else await makeNew(ctx, site, { filter: args.filter, wantedFrom });
  await keepTelling(ctx, site, now + FILTER_KEPT_UP_MS);
  await ensureFilterChain(ctx, site);
  return null;
}

/** For whoever waits for it: the same, and a step of it at once. True when nothing of it is left to do. */
export async function askAndMake(
  ctx: MutationCtx,
  args: { site?: string; range: ReportRange; filter: Filter },
): Promise<boolean> {
  await ask(ctx, args);
  const { slug } = await readSite(ctx, args.site);
  return await advanceOne(ctx, { site: slug, filter: args.filter });
}

/** That of a reader, or one joined with a segment's. Throws `invalid_filter`. */
export function assertFilter(filter: Filter, most = MAX_JOINED_CONDITIONS): void {
  const fault = faultOfFilter(filter, most);
  if (fault !== null) throw callerError("invalid_filter", `The filter ${fault}.`);
}

/** From now until then the worker tells the filters' work what it has rolled up. */
export async function keepTelling(ctx: MutationCtx, site: string, until: number): Promise<void> {
  const worker = await ensureWorker(ctx, site);
  const soon = until - FILTER_KEPT_UP_MS / 2;
  if ((worker.filtersUntil ?? 0) > soon) return;
  await ctx.db.patch("workers", worker._id, { filtersUntil: until });
}

async function keepUp(
  ctx: MutationCtx,
  row: FilterRow,
  { wantedFrom, now }: { wantedFrom: number; now: number },
): Promise<void> {
  if (!isKeptUp(row, now)) {
    await dropOpenDays(ctx, row);
    const fresh = { ...(await cursorsOf(ctx, row.site)), task: undefined };
    await ctx.db.patch("filters", row._id, { ...fresh, askedAt: now });
  } else if (now - row.askedAt >= FILTER_ASK_INTERVAL_MS) {
    await ctx.db.patch("filters", row._id, { askedAt: now });
  }
  if (wantedFrom < row.wantedFrom) await ctx.db.patch("filters", row._id, { wantedFrom });
}

async function makeNew(
  ctx: MutationCtx,
  site: string,
  asked: { filter: Filter; wantedFrom: number },
): Promise<void> {
  if (!(await mayAskNewFilter(ctx, site))) {
    throw callerError(
      "too_many_filters",
      "More new filters were asked for in the last minute than are made at once. Wait a minute, or use one that was shown before.",
    );
  }
  const kept = (await listFilters(ctx, site)).filter(
    ({ name, goneSince }) => name === undefined && goneSince === undefined,
  );
  for (const row of kept.slice(0, Math.max(0, kept.length + 1 - MAX_KEPT_FILTERS))) {
    await letGo(ctx, row);
  }
  await insertFilter(ctx, site, asked);
}
