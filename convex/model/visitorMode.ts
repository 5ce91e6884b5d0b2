/**
 * Owns: what an operator's choice of whom a site counts as one visitor leaves in its row.
 * Not: the choice itself (settings.ts), or what follows for hits (identity.ts) and figures (domain/visitor-modes.ts).
 */
import type { VisitorMode } from "../../domain/visitor-modes.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { QueryCtx } from "../_generated/server.js";
import { callerError } from "../errors.ts";
import { readOldRows } from "./log.ts";
import { readLive } from "./settling.ts";
import { rowsOf } from "./siteTables.ts";
import { DEFAULT_SITE } from "./sites.ts";
import type { Site } from "./sites.ts";

/** Each is read with the site's row, by each of its hits. */
const MAX_MODE_CHANGES = 50;

/** The field of the row; nothing when the mode stays. Null brings the default back. Throws `invalid_site`. */
export async function modesAfter(
  ctx: QueryCtx,
  site: Site,
  given: VisitorMode | null | undefined,
): Promise<Pick<Doc<"sites">, "visitorModes">> {
  const mode = given === null ? "browser" : (given ?? site.visitorMode);
  if (mode === site.visitorMode) return {};
  // Where nothing is counted yet there is no past to which another mode would belong.
  if (!(await hasCounted(ctx, site.slug))) return { visitorModes: [{ since: 0, mode }] };
  if (site.visitorModes.length < MAX_MODE_CHANGES) {
    return { visitorModes: [...site.visitorModes, { since: Date.now(), mode }] };
  }
  throw callerError(
    "invalid_site",
    `Site "${site.slug}" has changed its visitor mode ${MAX_MODE_CHANGES} times, and what its past figures are must stay known. Stay with "${site.visitorMode}", or add a new site.`,
  );
}

async function hasCounted(ctx: QueryCtx, site: string): Promise<boolean> {
  if ((await readLive(ctx, site)) !== null) return true;
  if ((await rowsOf(ctx, "pageViews", site).first()) !== null) return true;
  return site === DEFAULT_SITE && (await readOldRows(ctx, 1)).length > 0;
}
