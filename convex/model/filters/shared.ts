/**
 * Owns: what a page that opens a link of one segment is told of the site: its names, its zone, since when it counts.
 * Not: which link shows a segment (access.ts), or the numbers (reports/).
 */
import { v } from "convex/values";
import type { Infer } from "convex/values";
import type { QueryCtx } from "../../_generated/server.js";
import { readLive } from "../settling.ts";
import { readSite } from "../sites.ts";

export const sharedSegment = v.object({
  /** What operators call it; its conditions are theirs to know. */
  name: v.string(),
  site: v.object({ slug: v.string(), name: v.string(), timeZone: v.string() }),
  /** When the site's first view came, of whichever segment; null before that. Epoch ms. */
  trackingSince: v.union(v.number(), v.null()),
});

export async function readSharedSegment(
  ctx: QueryCtx,
  args: { site?: string },
  { name }: { name: string },
): Promise<Infer<typeof sharedSegment>> {
  const { slug, name: title, timeZone } = await readSite(ctx, args.site);
  const live = await readLive(ctx, slug);
  return {
    ...{ name, site: { slug, name: title, timeZone } },
    trackingSince: live?.trackingSince ?? null,
  };
}
