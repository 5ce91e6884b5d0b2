/**
 * Owns: which host belongs to which site, and that none belongs to two.
 * Not: routing a hit by it (routing.ts).
 */
import { normaliseHost } from "../../domain/dimensions/host.ts";
import { MAX_SITE_HOSTS } from "../../domain/limits.ts";
import type { Doc } from "../_generated/dataModel.js";
import type { MutationCtx, QueryCtx } from "../_generated/server.js";
import { callerError, quoted } from "../errors.ts";
import { DEFAULT_SITE, ensureServed, findSiteRow } from "./sites.ts";

export async function findHost(ctx: QueryCtx, host: string): Promise<Doc<"siteHosts"> | null> {
  return await ctx.db
    .query("siteHosts")
    .withIndex("by_host", (q) => q.eq("host", host))
    .first();
}

/** In their one form, each once. Throws `invalid_site`. */
export function acceptHosts(hosts: readonly string[]): string[] {
  const accepted = new Set<string>();
  for (const given of hosts) {
    const host = normaliseHost(given);
    if (host === "") {
      throw callerError(
        "invalid_site",
        `${quoted(given)} is no host. Wanted a name such as shop.example, without https:// and without a path; each subdomain but www. is a host of its own.`,
      );
    }
    accepted.add(host);
  }
  if (accepted.size <= MAX_SITE_HOSTS) return [...accepted];
  throw callerError(
    "invalid_site",
    `A site has at most ${MAX_SITE_HOSTS} hosts, not ${accepted.size}. Let the pages name the site instead, and give it no hosts.`,
  );
}

/** Makes `hosts` those of the site, and no others. Throws `host_taken`. */
export async function replaceHosts(
  ctx: MutationCtx,
  site: string,
  hosts: readonly string[],
): Promise<void> {
  const before = await ctx.db
    .query("siteHosts")
    .withIndex("by_site", (q) => q.eq("site", site))
    .take(MAX_SITE_HOSTS);
  for (const row of before) {
    if (!hosts.includes(row.host)) await ctx.db.delete("siteHosts", row._id);
  }
  for (const host of hosts) {
    const row = await findHost(ctx, host);
    if (row === null) await ctx.db.insert("siteHosts", { host, site });
    else if (row.site !== site) throw taken(row);
  }
}

/** From the first host on, what comes from anywhere is no longer the default site's. True when that begins now. */
export async function closeDefaultSite(ctx: MutationCtx): Promise<boolean> {
  await ensureServed(ctx, DEFAULT_SITE);
  const row = await findSiteRow(ctx, DEFAULT_SITE);
  if (row === null || row.takesUnknownHosts !== undefined) return false;
  await ctx.db.patch("sites", row._id, { takesUnknownHosts: false });
  return true;
}

function taken({ host, site }: Doc<"siteHosts">) {
  return callerError(
    "host_taken",
    `Host ${host} belongs to site "${site}". Take it from there first: npm run sites -- set ${site} --remove-host ${host}`,
  );
}
