/**
 * Owns: under which name the roll-ups of a filter are kept beside those of its site.
 * Not: what is kept (rollups/store.ts).
 *
 * A slug has no slash, so no owner is a site, and all owners of a site are one range of names.
 */
import type { Id } from "../../_generated/dataModel.js";
import type { QueryCtx } from "../../_generated/server.js";

/** The character after "/". */
const PAST_ALL = "0";

export function ownerOf(site: string, filter: Id<"filters">): string {
  return `${site}/${filter}`;
}

/** The roll-ups of all filters of a site. */
export function rollupsOfFilters(ctx: QueryCtx, site: string) {
  return ctx.db
    .query("rollups")
    .withIndex("by_bucket", (q) => q.gt("site", `${site}/`).lt("site", `${site}${PAST_ALL}`));
}
