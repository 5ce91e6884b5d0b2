/**
 * Owns: one step of changing verdicts: the next rows of the walk, and what is done with those that are meant.
 * Not: when the next step comes (jobs.ts).
 */
import { internal } from "../../_generated/api.js";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { commitTsOf } from "../log.ts";
import { isInSums } from "../rollups/logged.ts";
import { readSite } from "../sites.ts";
import type { Site } from "../sites.ts";
import { NO_SITE } from "../strangers.ts";
import { readWorker } from "../waking.ts";
import { matcherOf } from "./criteria.ts";
import { restoreRows } from "./restoring.ts";
import { withdrawRows } from "./withdrawing.ts";

type Job = Doc<"verdictJobs">;
type Place = Job["place"];
type Counts = Pick<Job, "looked" | "matching" | "moved" | "duplicates" | "left">;

/** Rows of one step: each that is meant costs some ten ranges of the 4,096 that a transaction may read. */
const STEP_ROWS = 150;

/** Rows of one step of a dry run, which costs one range. */
const DRY_STEP_ROWS = 1_000;

export type Step = Counts & { place: Place; isDone: boolean };

/** Who names a host may mean hits that were no site's: they are walked first. */
export function firstPlace(
  site: string,
  { change, criteria }: Pick<Job, "change" | "criteria">,
): Place {
  const isOfStrangers = change === "restore" && criteria.host !== undefined;
  return { of: isOfStrangers ? NO_SITE : site, at: 0, createdAt: 0 };
}

export async function takeStep(ctx: MutationCtx, job: Job): Promise<Step> {
  const site = await readSite(ctx, job.site);
  return job.change === "restore"
    ? await stepOfHits(ctx, site, job)
    : await stepOfViews(ctx, site, job);
}

async function stepOfHits(ctx: MutationCtx, site: Site, job: Job): Promise<Step> {
  const { place, until, criteria } = job;
  const limit = job.isDryRun ? DRY_STEP_ROWS : STEP_ROWS;
  const rows = await ctx.db
    .query("filteredHits")
    .withIndex("by_site", (q) =>
      q.eq("site", place.of).gt("_creationTime", place.createdAt).lte("_creationTime", until),
    )
    .take(limit);
  const isMeant = matcherOf(site, criteria);
  const meant = rows.filter(isMeant);
  const done = job.isDryRun ? NOTHING_MOVED : await restoreRows(ctx, site, meant);
  const matching = meant.reduce((sum, { hits = 1 }) => sum + hits, 0);
  const counts = addTo(job, { looked: rows.length, matching, ...done });
  const isOver = rows.length < limit;
  if (isOver && place.of !== job.site) {
    return await stepOfHits(ctx, site, {
      ...job,
      ...counts,
      place: { of: job.site, at: 0, createdAt: 0 },
    });
  }
  const createdAt = rows.at(-1)?._creationTime ?? place.createdAt;
  return { ...counts, place: { ...place, createdAt }, isDone: isOver };
}

/** Of a site that is settled in the same transaction, so that every view is in every number that it has to leave. */
async function stepOfViews(ctx: MutationCtx, site: Site, job: Job): Promise<Step> {
  const { slug } = site;
  if (!job.isDryRun) {
    const settled: { isSettled: boolean } = await ctx.runMutation(internal.operators.settle, {
      site: slug,
    });
    if (!settled.isSettled) return { ...countsOf(job), place: job.place, isDone: false };
  }
  const limit = job.isDryRun ? DRY_STEP_ROWS : STEP_ROWS;
  const rows = await readViews(ctx, job, limit);
  const isMeant = matcherOf(site, job.criteria);
  const rolled = (await readWorker(ctx, slug))?.rollupCursor ?? 0n;
  const isCounted = (row: Doc<"pageViews">) => job.isDryRun || commitTsOf(row) <= rolled;
  const views = rows.filter((row) => isInSums(row) && isCounted(row) && isMeant(row));
  const reason = job.reason ?? "bot";
  if (!job.isDryRun) await withdrawRows(ctx, site, { views, reason });
  const moved = job.isDryRun ? 0 : views.length;
  const counts = addTo(job, {
    ...NOTHING_MOVED,
    looked: rows.length,
    matching: views.length,
    moved,
  });
  const last = rows.at(-1);
  const place =
    last === undefined
      ? job.place
      : { of: slug, at: last.timestamp, createdAt: last._creationTime };
  return { ...counts, place, isDone: rows.length < limit };
}

/** Many views may be of the same millisecond: those after the place in it, then those of later ones. */
async function readViews(
  ctx: QueryCtx,
  { site, place, until }: Job,
  limit: number,
): Promise<Doc<"pageViews">[]> {
  const tied = await ctx.db
    .query("pageViews")
    .withIndex("by_site_time", (q) =>
      q.eq("site", site).eq("timestamp", place.at).gt("_creationTime", place.createdAt),
    )
    .take(limit);
  if (tied.length === limit) return tied;
  const later = await ctx.db
    .query("pageViews")
    .withIndex("by_site_time", (q) =>
      q.eq("site", site).gt("timestamp", place.at).lte("timestamp", until),
    )
    .take(limit - tied.length);
  return [...tied, ...later];
}

const NOTHING_MOVED = { moved: 0, duplicates: 0, left: 0 };

function countsOf({ looked, matching, moved, duplicates, left }: Counts): Counts {
  return { looked, matching, moved, duplicates, left };
}

function addTo(before: Counts, added: Counts): Counts {
  return {
    looked: before.looked + added.looked,
    matching: before.matching + added.matching,
    moved: before.moved + added.moved,
    duplicates: before.duplicates + added.duplicates,
    left: before.left + added.left,
  };
}
