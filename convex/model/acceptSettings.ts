/**
 * Owns: which settings of a site are valid, and the sentence when one is not.
 * Not: hosts (hosts.ts), or storing them (settings.ts).
 */
import { isTimeZone } from "../../domain/calendar/zones.ts";
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { normaliseHostPattern } from "../../domain/dimensions/host.ts";
import { COUNTRY_HEADERS } from "../../domain/dimensions/place.ts";
import { MAX_SITE_NAME_LENGTH } from "../../domain/limits.ts";
import { faultOfPattern, isQueryName, MAX_RULES_OF_A_KIND } from "../../domain/path-rules.ts";
import { clampLine } from "../../domain/text.ts";
import type { Doc } from "../_generated/dataModel.js";
import { callerError, quoted } from "../errors.ts";
import type { SettingsArguments } from "./siteShapes.ts";
import { DEFAULT_SITE } from "./sites.ts";
import type { Site } from "./sites.ts";

export type GivenSettings = SettingsArguments;

/** It stands in addresses, in commands and in `data-site`, and is the key of every row, so it never changes. */
const SITE_SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** A day: longer, and the same page tomorrow would be no view. */
const MAX_DEDUP_WINDOW_MS = DAY_MS;

/** Ten years: rows that are kept longer are kept for ever. */
const MAX_RETENTION_DAYS = 3_660;

export function acceptNew(slug: string): void {
  if (SITE_SLUG.test(slug)) return;
  throw callerError(
    "invalid_site",
    `${quoted(slug)} is no name for a site. Wanted 1 to 63 lower-case letters, digits and hyphens, such as shop or my-blog; --name gives it a title.`,
  );
}

/** Fields of the row that were given, undefined where null asks for the default. */
export function acceptSettings(before: Site, given: GivenSettings): Partial<Doc<"sites">> {
  const { name, timeZone, dedupWindowMs, retentionDays, countryHeader, takesUnknownHosts } = given;
  return {
    ...(name === undefined ? {} : { name: acceptName(name) }),
    ...(timeZone === undefined ? {} : { timeZone: acceptTimeZone(timeZone) }),
    ...optional("dedupWindowMs", dedupWindowMs, acceptDedupWindow),
    ...optional("retentionDays", retentionDays, acceptRetention),
    ...optional("blockedHosts", given.blockedHosts, acceptBlocked),
    ...optional("blockedReferrers", given.blockedReferrers, acceptBlocked),
    ...optional("dailyCap", given.dailyCap, acceptDailyCap),
    ...optional("countryHeader", countryHeader, acceptCountryHeader),
    ...optional("pathRules", rulesAfter(before, given), acceptPathRules),
    ...optional("access", given.access, (access) => access),
    ...optional("badge", given.badge, (badge) => badge),
    ...optional("takesUnknownHosts", takesUnknownHosts, (taken) =>
      acceptTaking(before.slug, taken),
    ),
  };
}

function optional<K extends string, T>(
  field: K,
  value: T | null | undefined,
  accept: (value: T) => T,
): { [P in K]?: T | undefined } {
  if (value === undefined) return {};
  return { [field]: value === null ? undefined : accept(value) } as { [P in K]?: T | undefined };
}

function acceptName(name: string): string {
  const clamped = clampLine(name, MAX_SITE_NAME_LENGTH);
  if (clamped !== "") return clamped;
  throw callerError("invalid_site", "The name is empty; wanted a title such as My shop.");
}

function acceptTimeZone(timeZone: string): string {
  if (isTimeZone(timeZone)) return timeZone;
  throw callerError(
    "invalid_time_zone",
    `${quoted(timeZone)} is no time zone. Wanted an IANA name, such as Europe/Madrid or UTC.`,
  );
}

function acceptDedupWindow(windowMs: number): number {
  if (Number.isInteger(windowMs) && windowMs >= 0 && windowMs <= MAX_DEDUP_WINDOW_MS) {
    return windowMs;
  }
  throw callerError(
    "invalid_site",
    `A window of ${windowMs} ms is not possible; wanted 0 (every view counts) to ${MAX_DEDUP_WINDOW_MS} ms (a day).`,
  );
}

function acceptRetention(days: number): number {
  if (days >= 1 && days <= MAX_RETENTION_DAYS) return days;
  throw callerError(
    "invalid_range",
    `Rows cannot be kept for ${days} days; wanted 1 to ${MAX_RETENTION_DAYS}.`,
  );
}

function acceptBlocked(patterns: readonly string[]): string[] {
  if (patterns.length > MAX_RULES_OF_A_KIND) {
    const message = `${patterns.length} blocked hosts are too many; at most ${MAX_RULES_OF_A_KIND} are taken.`;
    throw callerError("invalid_site", message);
  }
  return unique(patterns.map(acceptHostPattern));
}

/** In the form that hosts of hits have (domain/dimensions/host.ts), or it would match none of them. */
function acceptHostPattern(pattern: string): string {
  const lower = normaliseHostPattern(pattern);
  if (/^[a-z0-9.*:_[\]-]{3,253}$/.test(lower) && /[a-z0-9]/.test(lower)) return lower;
  throw callerError(
    "invalid_site",
    `${quoted(pattern)} is no host. Wanted one such as spam.example, or *.spam.example for all below it.`,
  );
}

function acceptDailyCap(views: number): number {
  if (Number.isSafeInteger(views) && views >= 1) return views;
  throw callerError(
    "invalid_site",
    `A cap of ${views} views a day is not possible; wanted a whole number from 1, or null for none.`,
  );
}

function acceptCountryHeader(header: string): string {
  const names: readonly string[] = COUNTRY_HEADERS;
  if (names.includes(header)) return header;
  throw callerError(
    "invalid_country_header",
    `${quoted(header)} is no header that states a country. Wanted one of ${names.join(", ")}, or null.`,
  );
}

function acceptTaking(site: string, takesUnknownHosts: boolean): boolean {
  if (site === DEFAULT_SITE || !takesUnknownHosts) return takesUnknownHosts;
  throw callerError(
    "invalid_site",
    `Only the default site can take hits from unknown hosts. Give "${site}" its hosts, or let its pages name it.`,
  );
}

type Rules = NonNullable<Doc<"sites">["pathRules"]>;

function rulesAfter({ pathRules }: Site, given: GivenSettings): Rules | null | undefined {
  if (given.pathRules === undefined || given.pathRules === null) return given.pathRules;
  const { keepQuery, group, exclude } = { ...pathRules, ...given.pathRules };
  return { keepQuery: [...keepQuery], group: [...group], exclude: [...exclude] };
}

function acceptPathRules(rules: Rules): Rules {
  const { keepQuery, group, exclude } = rules;
  for (const [kind, list] of Object.entries(rules)) {
    if (list.length <= MAX_RULES_OF_A_KIND) continue;
    const message = `${list.length} rules to ${kind} are too many; at most ${MAX_RULES_OF_A_KIND} are taken.`;
    throw callerError("invalid_site", message);
  }
  for (const pattern of [...group, ...exclude]) {
    const fault = faultOfPattern(pattern);
    if (fault === null) continue;
    const got = `${quoted(pattern)} is no pattern of paths: ${fault}.`;
    throw callerError("invalid_site", `${got} Wanted one such as /user/* or /admin/**.`);
  }
  for (const name of keepQuery) {
    if (isQueryName(name)) continue;
    const got = `${quoted(name)} is no name of a query parameter.`;
    throw callerError("invalid_site", `${got} Wanted one such as page, without ? and =.`);
  }
  return { keepQuery: unique(keepQuery), group: unique(group), exclude: unique(exclude) };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
