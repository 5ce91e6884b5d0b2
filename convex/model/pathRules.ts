/**
 * Owns: the path under which a site counts a hit.
 * Not: the rules themselves (domain/path-rules.ts), or which are valid (acceptSettings.ts).
 */
import { applyPathRules, withQuery } from "../../domain/path-rules.ts";
import { normalisePath } from "../../domain/path.ts";
import type { Site } from "./sites.ts";

/** Null when the site leaves it out. Where the hit says no query of its own, it is the one that stands in the path. */
export function countedPath(
  site: Site,
  said: { path: string; query?: string | undefined },
): string | null {
  const { path, isExcluded } = pathUnderRules(site, said);
  return isExcluded ? null : path;
}

/** The path under which a hit would be counted if the site left no path out, and whether it leaves this one out. */
export function pathUnderRules(
  { pathRules }: Site,
  { path, query }: { path: string; query?: string | undefined },
): { path: string; isExcluded: boolean } {
  const [normal, asked] = [normalisePath(path), query ?? queryIn(path)];
  const counted = applyPathRules(normal, asked, pathRules);
  if (counted !== null) return { path: counted, isExcluded: false };
  const others = applyPathRules(normal, asked, { ...pathRules, exclude: [] });
  return { path: others ?? normal, isExcluded: true };
}

/** A path that a reader asks about: as it is listed, neither grouped nor left out. */
export function askedPath({ pathRules }: Site, path: string): string {
  return withQuery(normalisePath(path), queryIn(path), pathRules);
}

/** Beats and leaves say where a page is without its query: then they mean the page of that path where the session is. */
export function meantPath(said: string, current: string | undefined): string {
  return current?.startsWith(`${said}?`) === true ? current : said;
}

function queryIn(path: string): string {
  const [, query = ""] = /\?([^#]*)/.exec(path) ?? [];
  return query;
}
