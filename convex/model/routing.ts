/**
 * Owns: which site a hit belongs to: the one that it names, else the one that its host belongs to.
 * Not: what becomes of a hit that is no site's (strangers.ts).
 */
import { normaliseHost } from "../../domain/dimensions/host.ts";
import type { QueryCtx } from "../_generated/server.js";
import { findHost } from "./hosts.ts";
import { readSite } from "./sites.ts";
import type { Site } from "./sites.ts";

/** What a hit says of where it comes from. */
export type Origin = { site?: string | undefined; host?: string | undefined };

export type Routed =
  | { isKnown: true; site: Site }
  /** The hit's host, "" when it said none; and the site that it named, though it does not come from there. */
  | { isKnown: false; host: string; named: Site | null };

/** At most two rows, both of the site and neither ever written by a hit. Throws `unknown_site` for a slug that is none. */
export async function routeHit(ctx: QueryCtx, origin: Origin): Promise<Routed> {
  const host = normaliseHost(origin.host ?? "");
  if (origin.site !== undefined) {
    const named = await readSite(ctx, origin.site);
    return comesFrom(named, host)
      ? { isKnown: true, site: named }
      : { isKnown: false, host, named };
  }
  const owner = host === "" ? null : await findHost(ctx, host);
  const site = await readSite(ctx, owner?.site);
  const isKnown = owner !== null || site.takesUnknownHosts;
  return isKnown ? { isKnown, site } : { isKnown, host, named: null };
}

function comesFrom({ hosts, takesUnknownHosts }: Site, host: string): boolean {
  return hosts.length === 0 || takesUnknownHosts || hosts.includes(host);
}
