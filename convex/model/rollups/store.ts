/**
 * Owns: where the roll-up of a bucket is kept: reading one or a range, writing it in parts, removing it.
 * Not: what is in it and into which documents it goes (domain/rollups/), when it is written (roll.ts, sealing).
 */
import { RollupFormatError } from "../../../domain/rollups/bytes.ts";
import { decode } from "../../../domain/rollups/codec.ts";
import type { DimensionName } from "../../../domain/rollups/dimension.ts";
import { joinParts } from "../../../domain/rollups/parts.ts";
import type { Rollup, RollupUnit } from "../../../domain/rollups/rollup.ts";
import { shelve, shelvesFor, shelvesOf } from "../../../domain/rollups/shelves.ts";
import type { Holds } from "../../../domain/rollups/shelves.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";

export type RollupBucket = { unit: RollupUnit; startsAt: number };

/** Half-open, in epoch ms; a bucket belongs to it by its start. */
export type RollupRange = { unit: RollupUnit; from: number; until: number };

/** Parts of one roll-up: 23 dimensions of 25,000 values of 128 characters take far fewer. */
const MAX_PARTS = 1_000;

/** Documents that one range may read: at 120 kB each no transaction could read more. Ordinary ones are a twentieth of that. */
export const MAX_RANGE_DOCUMENTS = 2_000;

/** The whole roll-up, or with `wanted` only those dimensions; null when nothing was counted in the bucket. Throws a RollupFormatError when it is damaged. */
export async function readRollup(
  ctx: QueryCtx,
  site: string,
  bucket: RollupBucket,
  wanted?: ReadonlySet<DimensionName>,
): Promise<Rollup | null> {
  const parts: Doc<"rollups">[] = [];
  for (const holds of shelvesFor(bucket.unit, wanted)) {
    parts.push(...(await readParts(ctx, site, bucket, holds)));
  }
  return parts.length === 0 ? null : unpack(parts, wanted);
}

/** The roll-ups whose buckets begin in the range, in time order; buckets in which nothing was counted, or nothing of what is wanted, have none. */
export async function readRollups(
  ctx: QueryCtx,
  site: string,
  range: RollupRange,
  wanted?: ReadonlySet<DimensionName>,
): Promise<Rollup[]> {
  const rows: Doc<"rollups">[] = [];
  for (const holds of shelvesFor(range.unit, wanted)) {
    rows.push(...(await readRange(ctx, site, range, holds)));
  }
  return unpackAll(rows, wanted);
}

/** The same with the totals alone: no dimension is read. */
export async function readTotals(
  ctx: QueryCtx,
  site: string,
  range: RollupRange,
): Promise<Rollup[]> {
  return await readRollups(ctx, site, range, new Set());
}

/** Puts what `change` makes of the roll-up of an hour in its place. The same as reading and writing it, but its rows are read once. */
export async function changeHour(
  ctx: MutationCtx,
  site: string,
  startsAt: number,
  change: (read: () => Rollup | null) => Rollup,
): Promise<void> {
  const bucket = { unit: "hour" as const, startsAt };
  const rows = await readParts(ctx, site, bucket, "all");
  const rollup = change(() => (rows.length === 0 ? null : unpack(rows, undefined)));
  const parts = shelve(rollup).get("all") ?? [];
  await replaceParts(ctx, site, bucket, { holds: "all", rows, parts });
}

/** Puts this roll-up in the place of the one that its bucket has. An empty one leaves nothing. */
export async function writeRollup(ctx: MutationCtx, site: string, rollup: Rollup): Promise<void> {
  for (const [holds, parts] of shelve(rollup)) {
    const rows = await readParts(ctx, site, rollup, holds);
    await replaceParts(ctx, site, rollup, { holds, rows, parts });
  }
}

/** Removes what begins in the range and is not among `kept`, without reading what it holds: it may be damaged. */
export async function removeOthers(
  ctx: MutationCtx,
  site: string,
  { unit, from, until }: RollupRange,
  kept: ReadonlySet<number>,
): Promise<void> {
  for (const holds of shelvesOf(unit)) {
    for (const row of await readRange(ctx, site, { unit, from, until }, holds)) {
      if (!kept.has(row.startsAt)) await ctx.db.delete("rollups", row._id);
    }
  }
}

/** Rows of an owner, whatever they hold. */
export async function rowsOfOwner(
  ctx: QueryCtx,
  owner: string,
  limit: number,
): Promise<Doc<"rollups">[]> {
  return await ctx.db
    .query("rollups")
    .withIndex("by_bucket", (q) => q.eq("site", owner))
    .take(limit);
}

async function replaceParts(
  ctx: MutationCtx,
  site: string,
  { unit, startsAt }: RollupBucket,
  {
    holds,
    rows,
    parts,
  }: { holds: Holds; rows: readonly Doc<"rollups">[]; parts: readonly ArrayBuffer[] },
): Promise<void> {
  for (const [part, bytes] of parts.entries()) {
    const row = rows[part];
    const fields = { site, unit, holds, startsAt, part, bytes };
    if (row === undefined) await ctx.db.insert("rollups", fields);
    else await ctx.db.replace("rollups", row._id, fields);
  }
  for (const row of rows.slice(parts.length)) await ctx.db.delete("rollups", row._id);
}

async function readParts(
  ctx: QueryCtx,
  site: string,
  { unit, startsAt }: RollupBucket,
  holds: Holds,
): Promise<Doc<"rollups">[]> {
  return await ctx.db
    .query("rollups")
    .withIndex("by_bucket", (q) =>
      q.eq("site", site).eq("unit", unit).eq("holds", holds).eq("startsAt", startsAt),
    )
    .take(MAX_PARTS);
}

async function readRange(
  ctx: QueryCtx,
  site: string,
  { unit, from, until }: RollupRange,
  holds: Holds,
): Promise<Doc<"rollups">[]> {
  const rows = await ctx.db
    .query("rollups")
    .withIndex("by_bucket", (q) =>
      q
        .eq("site", site)
        .eq("unit", unit)
        .eq("holds", holds)
        .gte("startsAt", from)
        .lt("startsAt", until),
    )
    .take(MAX_RANGE_DOCUMENTS + 1);
  if (rows.length <= MAX_RANGE_DOCUMENTS) return rows;
  throw new Error(
    `The ${unit}s of site "${site}" from ${from} until ${until} are more than ${MAX_RANGE_DOCUMENTS} documents; ` +
      "read a shorter range, or the days or months of it.",
  );
}

function unpackAll(
  rows: readonly Doc<"rollups">[],
  wanted: ReadonlySet<DimensionName> | undefined,
): Rollup[] {
  const buckets = new Map<number, Doc<"rollups">[]>();
  for (const row of rows) {
    const parts = buckets.get(row.startsAt);
    if (parts === undefined) buckets.set(row.startsAt, [row]);
    else parts.push(row);
  }
  return [...buckets].sort(([a], [b]) => a - b).map(([, parts]) => unpack(parts, wanted));
}

function unpack(
  parts: readonly Doc<"rollups">[],
  wanted: ReadonlySet<DimensionName> | undefined,
): Rollup {
  const rollups = parts.map((part) => {
    const rollup = decode(part.bytes, wanted);
    if (rollup.unit === part.unit && rollup.startsAt === part.startsAt) return rollup;
    throw new RollupFormatError(
      `The row of the ${part.unit} ${part.startsAt} holds the ${rollup.unit} ${rollup.startsAt}. ` +
        "Make its bucket anew from the log with stats:repair.",
    );
  });
  const [only] = rollups;
  return rollups.length === 1 && only !== undefined ? only : joinParts(rollups);
}
