/**
 * Owns: the roll-ups that are being built, beside those that readers see.
 * Not: what is built (recount.ts, months.ts), or what the bytes of engagement mean (engagement/staging.ts).
 */
import { decode } from "../../../domain/rollups/codec.ts";
import { encodeParts, joinParts } from "../../../domain/rollups/parts.ts";
import type { Rollup } from "../../../domain/rollups/rollup.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";

type AnyStaged = Doc<"stagedRollups">["unit"];
type StagedUnit = Extract<AnyStaged, "hour" | "month">;

/** 25 hours of some parts each. */
const MAX_STAGED = 1_000;

/** What is staged of a unit, in time order. */
export async function readStaged(ctx: QueryCtx, site: string, unit: StagedUnit): Promise<Rollup[]> {
  const buckets = await readStagedParts(ctx, site, unit);
  return buckets.map((parts) => joinParts(parts.map((bytes) => decode(bytes))));
}

export async function readStagedBucket(
  ctx: QueryCtx,
  site: string,
  { unit, startsAt }: { unit: StagedUnit; startsAt: number },
): Promise<Rollup | null> {
  const rows = await readBucket(ctx, site, { unit, startsAt });
  return rows.length === 0 ? null : joinParts(rows.map(({ bytes }) => decode(bytes)));
}

export async function writeStaged(
  ctx: MutationCtx,
  site: string,
  unit: StagedUnit,
  rollup: Rollup,
): Promise<void> {
  const parts = encodeParts(rollup).map(({ bytes }) => bytes);
  await changeStagedParts(ctx, site, { unit, startsAt: rollup.startsAt }, () => parts);
}

/** By bucket, in time order, the parts of each. */
export async function readStagedParts(
  ctx: QueryCtx,
  site: string,
  unit: AnyStaged,
): Promise<ArrayBuffer[][]> {
  const buckets = new Map<number, ArrayBuffer[]>();
  for (const { startsAt, bytes } of await readRows(ctx, site, unit)) {
    const parts = buckets.get(startsAt) ?? [];
    buckets.set(startsAt, parts);
    parts.push(bytes);
  }
  return [...buckets.values()];
}

/** Puts what `change` makes of a bucket's parts in their place. */
export async function changeStagedParts(
  ctx: MutationCtx,
  site: string,
  { unit, startsAt }: { unit: AnyStaged; startsAt: number },
  change: (parts: ArrayBuffer[]) => readonly ArrayBuffer[],
): Promise<void> {
  const rows = await readBucket(ctx, site, { unit, startsAt });
  const parts = change(rows.map(({ bytes }) => bytes));
  for (const [part, bytes] of parts.entries()) {
    const row = rows[part];
    if (row === undefined)
      await ctx.db.insert("stagedRollups", { site, unit, startsAt, part, bytes });
    else await ctx.db.patch("stagedRollups", row._id, { bytes });
  }
  for (const row of rows.slice(parts.length)) await ctx.db.delete("stagedRollups", row._id);
}

export async function clearStaged(ctx: MutationCtx, site: string, unit: AnyStaged): Promise<void> {
  for (const row of await readRows(ctx, site, unit)) await ctx.db.delete("stagedRollups", row._id);
}

async function readRows(ctx: QueryCtx, site: string, unit: AnyStaged) {
  return await ctx.db
    .query("stagedRollups")
    .withIndex("by_bucket", (q) => q.eq("site", site).eq("unit", unit))
    .take(MAX_STAGED);
}

async function readBucket(
  ctx: QueryCtx,
  site: string,
  { unit, startsAt }: { unit: AnyStaged; startsAt: number },
) {
  return await ctx.db
    .query("stagedRollups")
    .withIndex("by_bucket", (q) => q.eq("site", site).eq("unit", unit).eq("startsAt", startsAt))
    .take(MAX_STAGED);
}
