/**
 * Owns: where the engagement roll-up of a bucket is kept: reading one or a range, changing one, removing it.
 * Not: what is in it (domain/engagement/), or when it is written (roll.ts, past.ts).
 */
import { decodeEngagement, encodeEngagement } from "../../../domain/engagement/codec.ts";
import { emptyEngagement, isEmpty } from "../../../domain/engagement/rollup.ts";
import type { EngagementRollup } from "../../../domain/engagement/rollup.ts";
import { RollupFormatError } from "../../../domain/rollups/bytes.ts";
import type { RollupUnit } from "../../../domain/rollups/rollup.ts";
import type { Doc } from "../../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../../_generated/server.js";
import { MAX_RANGE_DOCUMENTS } from "../rollups/store.ts";
import type { RollupBucket, RollupRange } from "../rollups/store.ts";

type Row = Doc<"engagementRollups">;
type Holds = Row["holds"];

/** How much of a roll-up a reader wants: its paths are most of it. */
export type Wanted = "total" | "paths";

/** Parts of one roll-up: 1,000 paths of 1,024 characters with full histograms take far fewer. */
const MAX_ENGAGEMENT_PARTS = 200;

/** Null when nothing was reported in the bucket. Throws a RollupFormatError when it is damaged. */
export async function readEngagement(
  ctx: QueryCtx,
  site: string,
  bucket: RollupBucket,
  wanted: Wanted = "paths",
): Promise<EngagementRollup | null> {
  const rows = await readParts(ctx, site, bucket, holdsOf(bucket.unit, wanted));
  return rows.length === 0 ? null : unpack(rows);
}

/** The roll-ups whose buckets begin in the range, in time order; buckets in which nothing was reported have none. */
export async function readEngagements(
  ctx: QueryCtx,
  site: string,
  range: RollupRange,
  wanted: Wanted = "paths",
): Promise<EngagementRollup[]> {
  const buckets = new Map<number, Row[]>();
  for (const row of await readRange(ctx, site, range, holdsOf(range.unit, wanted))) {
    const parts = buckets.get(row.startsAt);
    if (parts === undefined) buckets.set(row.startsAt, [row]);
    else parts.push(row);
  }
  return [...buckets.values()].map(unpack);
}

/** Puts what `change` makes of a bucket in its place. An empty one leaves nothing. */
export async function changeEngagement(
  ctx: MutationCtx,
  site: string,
  bucket: RollupBucket,
  change: (read: () => EngagementRollup | null) => EngagementRollup,
): Promise<void> {
  const holds = holdsOf(bucket.unit, "paths");
  const rows = await readParts(ctx, site, bucket, holds);
  const rollup = change(() => (rows.length === 0 ? null : unpack(rows)));
  const place = { ...bucket, site };
  await replaceParts(
    ctx,
    { ...place, holds },
    rows,
    isEmpty(rollup) ? [] : encodeEngagement(rollup),
  );
  if (bucket.unit === "hour") return;
  const short = await readParts(ctx, site, bucket, "total");
  await replaceParts(ctx, { ...place, holds: "total" }, short, totalOf(rollup));
}

export async function writeEngagement(
  ctx: MutationCtx,
  site: string,
  rollup: EngagementRollup,
): Promise<void> {
  const { unit, startsAt } = rollup;
  await changeEngagement(ctx, site, { unit, startsAt }, () => rollup);
}

/** Removes what begins in the range and is not among `kept`, without reading what it holds: it may be damaged. */
export async function removeOtherEngagements(
  ctx: MutationCtx,
  site: string,
  range: RollupRange,
  kept: ReadonlySet<number>,
): Promise<void> {
  const shelves: Holds[] = range.unit === "hour" ? ["all"] : ["total", "paths"];
  for (const holds of shelves) {
    for (const row of await readRange(ctx, site, range, holds)) {
      if (!kept.has(row.startsAt)) await ctx.db.delete("engagementRollups", row._id);
    }
  }
}

function holdsOf(unit: RollupUnit, wanted: Wanted): Holds {
  return unit === "hour" ? "all" : wanted;
}

function totalOf(rollup: EngagementRollup): ArrayBuffer[] {
  const { unit, startsAt, total } = rollup;
  return isEmpty(rollup) ? [] : encodeEngagement({ ...emptyEngagement(unit, startsAt), total });
}

async function replaceParts(
  ctx: MutationCtx,
  place: RollupBucket & { site: string; holds: Holds },
  rows: readonly Row[],
  parts: readonly ArrayBuffer[],
): Promise<void> {
  for (const [part, bytes] of parts.entries()) {
    const row = rows[part];
    if (row === undefined) await ctx.db.insert("engagementRollups", { ...place, part, bytes });
    else await ctx.db.patch("engagementRollups", row._id, { bytes });
  }
  for (const row of rows.slice(parts.length)) await ctx.db.delete("engagementRollups", row._id);
}

async function readParts(
  ctx: QueryCtx,
  site: string,
  { unit, startsAt }: RollupBucket,
  holds: Holds,
): Promise<Row[]> {
  return await ctx.db
    .query("engagementRollups")
    .withIndex("by_bucket", (q) =>
      q.eq("site", site).eq("unit", unit).eq("holds", holds).eq("startsAt", startsAt),
    )
    .take(MAX_ENGAGEMENT_PARTS);
}

async function readRange(
  ctx: QueryCtx,
  site: string,
  { unit, from, until }: RollupRange,
  holds: Holds,
): Promise<Row[]> {
  const rows = await ctx.db
    .query("engagementRollups")
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
    `The ${unit}s of engagement of site "${site}" from ${from} until ${until} are more than ` +
      `${MAX_RANGE_DOCUMENTS} documents; read a shorter range.`,
  );
}

function unpack(rows: readonly Row[]): EngagementRollup {
  const rollup = decodeEngagement(rows.map(({ bytes }) => bytes));
  const [row] = rows;
  if (rollup.unit === row?.unit && rollup.startsAt === row.startsAt) return rollup;
  throw new RollupFormatError(
    `The row of the ${row?.unit} ${row?.startsAt} holds the ${rollup.unit} ${rollup.startsAt}. ` +
      "Make its bucket anew from the log with stats:repair.",
  );
}
