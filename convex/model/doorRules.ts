/**
 * Owns: whether a view of a known site is filtered for what it is, and why: by whom it is sent, how, and from where.
 * Not: how many there are (limits.ts, verdicts/dailyCap.ts), hits of no site (routing.ts), or what becomes of it (filtered.ts).
 */
import { isBotAgent, isImpossibleAgent } from "../../domain/bots.ts";
import { normaliseHost } from "../../domain/dimensions/host.ts";
import { readReferrer } from "../../domain/dimensions/referrer.ts";
import { matchesStars } from "../../domain/path-rules.ts";
import type { FilterReason } from "./shapes.ts";
import type { Site } from "./sites.ts";

/** What a request says of itself besides what its page says. */
export type Sending = {
  /** Undefined where none is known, as in a call of a client that says none. */
  userAgent: string | undefined;
  isPrefetch?: boolean | undefined;
  isWithoutAgent?: boolean | undefined;
};

export function refusalOf(
  site: Site,
  sending: Sending,
  page: { host?: string | undefined; referrer?: string | undefined },
): FilterReason | null {
  const { userAgent, isPrefetch, isWithoutAgent } = sending;
  if (isBotAgent(userAgent)) return "bot";
  if (isWithoutAgent === true) return "no browser";
  if (userAgent !== undefined && isImpossibleAgent(userAgent)) return "no browser";
  if (isPrefetch === true) return "prefetch";
  const host = normaliseHost(page.host ?? "");
  if (isBlocked(site.blockedHosts, host)) return "blocked host";
  if (site.blockedReferrers.length === 0) return null;
  const referrer = readReferrer(page.referrer ?? "", [host, ...site.hosts]);
  const isSpam = referrer.kind === "external" && isBlocked(site.blockedReferrers, referrer.host);
  return isSpam ? "blocked referrer" : null;
}

/** Browsers and proxies say so when they load what nobody has asked for yet. */
export function isPrefetchRequest(headers: Headers): boolean {
  const said = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].map((name) => headers.get(name));
  return said.some((purpose) => /\b(prefetch|preview)\b/i.test(purpose ?? ""));
}

function isBlocked(patterns: readonly string[], host: string): boolean {
  return host !== "" && patterns.some((pattern) => matchesStars(pattern, host));
}
