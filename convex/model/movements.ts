/**
 * Owns: who came, moved on and went last, while somebody watches: noted where the paths are counted, from the same rows.
 * Not: who is online (presence.ts), or how many there are (panels.ts).
 *
 * While nobody watches nothing is noted, because nobody reads it: a batch that went by unnoted takes what is older with
 * it, so the list never has a hole. What stands in it of a visitor is a page, and where from, by which kind of device
 * and from which country, as the reports have it of all.
 */
import { v } from "convex/values";
import type { Infer } from "convex/values";
import { unpackValues } from "../../domain/dimensions/packed.ts";
import { newestMovements } from "../../domain/online/movements.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { movement } from "../schema.ts";
import type { Unsettled } from "./log.ts";
import { readSite } from "./sites.ts";
import { moveOf, partsOf } from "./tally.ts";
import type { Move } from "./tally.ts";

export type Movement = Infer<typeof movement>;

/** The newest first; null where the site tells nobody apart. */
export const movementList = v.union(v.array(movement), v.null());

/** From a batch that is rolled up. Returns whether some that came before the next one stay unnoted: it belongs to the worker's row. */
export async function noteMovements(
  ctx: MutationCtx,
  { site, watchedUntil, hasUnnoted }: Doc<"workers">,
  rows: Unsettled,
): Promise<true | undefined> {
  const told = movementsOf(rows);
  if (told.length === 0) return hasUnnoted === true ? true : undefined;
  if (watchedUntil <= Date.now()) return true;
  const row = await findRow(ctx, site);
  const before = hasUnnoted === true ? [] : (row?.newest ?? []);
  const noted = { site, newest: newestMovements(told, before) };
  if (row === null) await ctx.db.insert("movements", noted);
  else await ctx.db.replace("movements", row._id, noted);
  return undefined;
}

/** Throws `unknown_site`. */
export async function readMovements(
  ctx: QueryCtx,
  args: { site?: string },
): Promise<Movement[] | null> {
  const { slug, visitorMode } = await readSite(ctx, args.site);
  if (visitorMode === "none") return null;
  return (await findRow(ctx, slug))?.newest ?? [];
}

function movementsOf({ views, moves }: Unsettled): Movement[] {
  const ofViews = views.flatMap((view) => {
    const move = moveOf(view);
    return move === null ? [] : movementOf(move, view.timestamp, view);
  });
  const ofMoves = moves.flatMap((move) =>
    partsOf(move).flatMap((part) => movementOf(part, Math.floor(move._creationTime))),
  );
  return [...ofViews, ...ofMoves];
}

/** None where nobody moved: a page that was viewed again. */
function movementOf({ from, to, sessions }: Move, at: number, view?: Doc<"pageViews">): Movement[] {
  if (from === to) return [];
  const many = sessions === 1 ? {} : { sessions };
  if (to === undefined) return [{ at, kind: "went", path: from ?? "/", ...many }];
  if (from !== undefined) return [{ at, kind: "moved", path: to, from, ...many }];
  return [{ at, kind: "came", path: to, ...many, ...knownOf(view) }];
}

function knownOf(view: Doc<"pageViews"> | undefined): Partial<Movement> {
  if (view === undefined) return {};
  const { source, country = "", device = "" } = unpackValues(view.dimensions ?? "");
  return {
    ...(source === undefined ? {} : { source }),
    ...(country === "" ? {} : { country }),
    ...(device === "" ? {} : { device }),
  };
}

async function findRow(ctx: QueryCtx, site: string): Promise<Doc<"movements"> | null> {
  return await ctx.db
    .query("movements")
    .withIndex("by_site", (q) => q.eq("site", site))
    .first();
}
