/**
 * Owns: which hits an operator means: what may be said of them, and whether a row is one.
 * Not: what is done with those (restoring.ts, withdrawing.ts).
 *
 * A filtered hit keeps its user agent, a counted view does not: of that only what it said of browser, system and
 * device is known.
 */
import { botKindOf } from "../../../domain/bots.ts";
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import { unpackValues } from "../../../domain/dimensions/packed.ts";
import { faultOfPattern, matches, matchesStars } from "../../../domain/path-rules.ts";
import type { Doc } from "../../_generated/dataModel.js";
import { callerError, quoted } from "../../errors.ts";
import { spanOf } from "../past/days.ts";
import type { FilterReason, HitCriteria } from "../shapes.ts";
import type { Site } from "../sites.ts";

/** Texts of values, where `*` stands for any run of characters, in any case. */
const VALUES = ["host", "referrer", "browser", "system", "device", "country"] as const;

/** What a view cannot be asked for, because it was not filtered, or does not keep it. */
const OF_FILTERED = ["reason", "kind", "userAgent"] as const;

type Row = Doc<"filteredHits"> | Doc<"pageViews">;

export type Matcher = (row: Row) => boolean;

/** Throws `invalid_criteria` for what names no hit, and `invalid_range` for days that are none. */
export function acceptRestored(criteria: HitCriteria): HitCriteria {
  assertNamed(criteria, "reason, kind, userAgent, path, host, referrer or an id");
  return criteria;
}

/** As above; and for what views do not keep. */
export function acceptWithdrawn(criteria: HitCriteria): HitCriteria {
  const unknown = OF_FILTERED.find((name) => criteria[name] !== undefined);
  if (unknown !== undefined) {
    throw callerError(
      "invalid_criteria",
      `A counted view keeps no ${unknown}. Name it by path, host, referrer, browser, system, device, country or sessionId.`,
    );
  }
  assertNamed(criteria, "path, host, referrer, browser, system, device, country or sessionId");
  return criteria;
}

/** Why views that these criteria name are withdrawn, unless the operator says otherwise. */
export function reasonOf({ path, host, referrer }: HitCriteria): FilterReason {
  if (path !== undefined) return "excluded path";
  if (host !== undefined) return "blocked host";
  return referrer === undefined ? "bot" : "blocked referrer";
}

export function matcherOf(site: Site, criteria: HitCriteria): Matcher {
  const { from, until } = spanOf(calendarOf(site.timeZone), criteria);
  const { reason, kind, sessionId, path } = criteria;
  const agent = criteria.userAgent?.toLowerCase();
  const wanted = VALUES.filter((name) => criteria[name] !== undefined);
  return (row) => {
    if (from !== null && row.timestamp < from) return false;
    if (until !== null && row.timestamp >= until) return false;
    if (sessionId !== undefined && row.sessionId !== sessionId) return false;
    if (path !== undefined && !matches(path, withoutQuery(row.path))) return false;
    const filtered = "reason" in row ? row : null;
    if (reason !== undefined && filtered?.reason !== reason) return false;
    if (kind !== undefined && botKindOf(filtered?.userAgent) !== kind) return false;
    if (agent !== undefined && !hasText(filtered?.userAgent, agent)) return false;
    if (wanted.length === 0) return true;
    const values = valuesOf(row);
    return wanted.every((name) => isLike(values[name], criteria[name]));
  };
}

function assertNamed(criteria: HitCriteria, wanted: string): void {
  const { from, to, path, ...named } = criteria;
  const texts = Object.values(named).filter((text) => text !== undefined);
  if (path === undefined && texts.length === 0) {
    const days = from === undefined && to === undefined ? "" : " Days alone are not enough.";
    throw callerError("invalid_criteria", `Which hits? Name them by ${wanted}.${days}`);
  }
  if (texts.includes("")) {
    throw callerError("invalid_criteria", "One of the criteria is empty; leave it out or fill it.");
  }
  const fault = path === undefined ? null : faultOfPattern(path);
  if (fault === null) return;
  throw callerError(
    "invalid_criteria",
    `${quoted(path)} is no pattern of paths: ${fault}. Wanted one such as /user/* or /admin/**.`,
  );
}

function valuesOf(row: Row): Record<(typeof VALUES)[number], string> {
  const values = unpackValues(row.dimensions ?? "");
  const { host = "", referrerHost = "", browser = "", system = "", device = "" } = values;
  const said = "host" in row ? row.host : undefined;
  const { country = "" } = values;
  return { host: said ?? host, referrer: referrerHost, browser, system, device, country };
}

function isLike(value: string, pattern = ""): boolean {
  return matchesStars(pattern.toLowerCase(), value.toLowerCase());
}

function hasText(userAgent: string | undefined, piece: string): boolean {
  return userAgent?.toLowerCase().includes(piece) ?? false;
}

function withoutQuery(path: string): string {
  return path.split("?", 1)[0] ?? path;
}
