/**
 * Owns: removing a site with everything that is its: what would go, the job that does it chunk after chunk, and its end.
 * Not: which tables those are (siteTables.ts).
 *
 * From the first moment the site refuses every hit and question. Each chunk takes what it finds, so it can stop
 * anywhere, and whoever starts the job again goes on. The last chunk, which finds nothing, removes the job and the
 * site itself.
 */
import { internal } from "../_generated/api.js";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { callerError, quoted } from "../errors.ts";
import { rollupsOfFilters } from "./filters/owner.ts";
import { forgetPathDays, forgetSiteDays } from "./past/forgetting.ts";
import { cancelCall, cancelCallsOf, isToCome } from "./scheduled.ts";
import { batchOf, oldRowsOf, rowsOf, SITE_TABLES, TABLES_OF_OLD } from "./siteTables.ts";
import type { SiteTable } from "./siteTables.ts";
import type { Removal } from "./siteShapes.ts";
import { DEFAULT_SITE, findSiteRow, NEW_DEFAULT_SITE, readSite, readSiteRows } from "./sites.ts";

/** Small rows that one chunk removes. */
const CHUNK_ROWS = 500;

/** A day in an aggregate costs as much as this many rows. */
const ROWS_PER_DAY = 10;

/** Rows of a table that are counted before anything is removed; large ones fewer. */
const MAX_SHOWN_ROWS = 1_000;

type Job = Doc<"jobs">;

/** Without `confirm` says what would go; with the slug as `confirm` it goes. Throws `unknown_site` or `invalid_site`. */
export async function remove(
  ctx: MutationCtx,
  { site, confirm }: { site: string; confirm?: string },
): Promise<Removal> {
  const row = await findSiteRow(ctx, site);
  if (row?.removingSince === undefined) await readSite(ctx, site);
  const tables = await countTables(ctx, site);
  if (confirm === undefined) {
    const isUnderWay = row?.removingSince !== undefined;
    return { site, state: isUnderWay ? "running" : "dryRun", tables };
  }
  if (confirm !== site) {
    throw callerError(
      "invalid_site",
      `To remove "${site}" for ever, confirm with its name: got ${quoted(confirm)}.`,
    );
  }
  await close(ctx, site, row);
  await ensureRemoval(ctx, site);
  return { site, state: "running", tables };
}

/** Chains that died go on. From the watchdog. */
export async function reviveRemovals(ctx: MutationCtx): Promise<void> {
  for (const { slug, removingSince } of await readSiteRows(ctx)) {
    if (removingSince !== undefined) await ensureRemoval(ctx, slug);
  }
}

/** One chunk and the scheduling of the next. Does nothing when its chain no longer owns the job. */
export async function removeChunk(
  ctx: MutationCtx,
  { site, chain }: { site: string; chain: number },
): Promise<null> {
  const job = await findRemoval(ctx, site);
  if (job === null || job.chain !== chain) return null;
  const removed = await removeRows(ctx, site);
  const counted = job.counted + removed;
  if (removed === 0) {
    await finish(ctx, site);
    console.log(`Site "${site}" is removed: ${counted} rows.`);
    return null;
  }
  const nextChunk = await ctx.scheduler.runAfter(0, internal.sites.removeChunk, { site, chain });
  await ctx.db.patch("jobs", job._id, { counted, nextChunk, updatedAt: Date.now() });
  console.log(`Removing site "${site}": ${counted} rows.`);
  return null;
}

/** No hit and no question from now on, and nothing of what was planned happens any more. */
async function close(ctx: MutationCtx, site: string, row: Doc<"sites"> | null): Promise<void> {
  if (row?.removingSince !== undefined) return;
  const removingSince = Date.now();
  if (row === null) await ctx.db.insert("sites", { ...NEW_DEFAULT_SITE, removingSince });
  else await ctx.db.patch("sites", row._id, { removingSince });
  for (const flag of await rowsOf(ctx, "wake", site).take(1)) {
    await cancelCall(ctx, flag.run);
    await ctx.db.delete("wake", flag._id);
  }
  for (const worker of await rowsOf(ctx, "workers", site).take(1)) {
    await cancelCall(ctx, worker.rollRun);
    await cancelCall(ctx, worker.sweepRun);
    await ctx.db.delete("workers", worker._id);
  }
  for (const work of await rowsOf(ctx, "pastWork", site).take(1)) {
    await cancelCall(ctx, work.nextStep);
    await ctx.db.delete("pastWork", work._id);
  }
  for (const work of await rowsOf(ctx, "filterWork", site).take(1)) {
    await cancelCall(ctx, work.nextStep);
    await ctx.db.delete("filterWork", work._id);
  }
  for (const job of await rowsOf(ctx, "jobs", site).take(CHUNK_ROWS)) {
    await cancelCall(ctx, job.nextChunk);
    await ctx.db.delete("jobs", job._id);
  }
}

async function ensureRemoval(ctx: MutationCtx, site: string): Promise<void> {
  const job = await findRemoval(ctx, site);
  if (job !== null && (await isToCome(ctx, job.nextChunk))) return;
  const now = Date.now();
  const chain = (job?.chain ?? 0) + 1;
  const nextChunk = await ctx.scheduler.runAfter(0, internal.sites.removeChunk, { site, chain });
  const begun = { state: "running" as const, chain, nextChunk, resumedAt: now, updatedAt: now };
  if (job !== null) await ctx.db.patch("jobs", job._id, begun);
  else {
    const fresh = { site, kind: "removal" as const, counted: 0, countedBefore: 0, startedAt: now };
    await ctx.db.insert("jobs", { ...fresh, ...begun });
  }
}

async function findRemoval(ctx: QueryCtx, site: string): Promise<Job | null> {
  return await ctx.db
    .query("jobs")
    .withIndex("by_site_kind", (q) => q.eq("site", site).eq("kind", "removal"))
    .first();
}

/** As many rows as one transaction may take, of whatever tables have some. Returns how many went. */
async function removeRows(ctx: MutationCtx, site: string): Promise<number> {
  let left = CHUNK_ROWS;
  let removed = 0;
  const note = (rows: number, weight: number) => {
    removed += rows;
    left -= rows * weight;
  };
  for (const table of SITE_TABLES) {
    if (left <= 0) break;
    const days = Math.ceil(left / ROWS_PER_DAY);
    if (table === "jobs") continue;
    if (table === "siteDays") note(await forgetSiteDays(ctx, site, days), ROWS_PER_DAY);
    else if (table === "pathDays") note(await forgetPathDays(ctx, site, days), ROWS_PER_DAY);
    else
      note(
        await removeFrom(ctx, table, { site, budget: left }),
        CHUNK_ROWS / batchOf(table, CHUNK_ROWS),
      );
  }
  const rollups = left > 0 ? await rollupsOfFilters(ctx, site).take(batchOf("rollups", left)) : [];
  for (const row of rollups) await ctx.db.delete("rollups", row._id);
  note(rollups.length, CHUNK_ROWS / batchOf("rollups", CHUNK_ROWS));
  for (const table of TABLES_OF_OLD) {
    const rows = left > 0 ? ((await oldRowsOf(ctx, table, site)?.take(left)) ?? []) : [];
    for (const row of rows) await ctx.db.delete(table, row._id);
    note(rows.length, 1);
  }
  return removed;
}

async function removeFrom<T extends SiteTable>(
  ctx: MutationCtx,
  table: T,
  { site, budget }: { site: string; budget: number },
): Promise<number> {
  const rows = await rowsOf(ctx, table, site).take(batchOf(table, budget));
  for (const row of rows) await ctx.db.delete(table, row._id);
  return rows.length;
}

/** The default site goes on empty, and by the same rule of which hits are its. */
async function finish(ctx: MutationCtx, site: string): Promise<void> {
  await cancelCallsOf(ctx, site);
  for (const work of await rowsOf(ctx, "filterWork", site).take(1)) {
    await cancelCall(ctx, work.nextStep);
    await ctx.db.delete("filterWork", work._id);
  }
  for (const job of await rowsOf(ctx, "jobs", site).take(CHUNK_ROWS)) {
    await ctx.db.delete("jobs", job._id);
  }
  const row = await findSiteRow(ctx, site);
  if (row === null) return;
  await ctx.db.delete("sites", row._id);
  if (site === DEFAULT_SITE && row.takesUnknownHosts !== undefined) {
    const { takesUnknownHosts } = row;
    await ctx.db.insert("sites", { ...NEW_DEFAULT_SITE, takesUnknownHosts });
  }
}

async function countTables(ctx: QueryCtx, site: string): Promise<Removal["tables"]> {
  const counted: Removal["tables"] = [];
  for (const table of SITE_TABLES) {
    const most = batchOf(table, MAX_SHOWN_ROWS);
    const rows = (await rowsOf(ctx, table, site).take(most + 1)).length;
    if (rows > 0) counted.push({ table, rows: Math.min(rows, most), isExact: rows <= most });
  }
  for (const table of TABLES_OF_OLD) {
    const rows = (await oldRowsOf(ctx, table, site)?.take(MAX_SHOWN_ROWS)) ?? [];
    if (rows.length === 0) continue;
    const isExact = rows.length < MAX_SHOWN_ROWS;
    counted.push({ table: `${table} of the original design`, rows: rows.length, isExact });
  }
  return counted;
}
