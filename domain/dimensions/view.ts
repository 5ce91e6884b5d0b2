/**
 * Owns: the dimensions of a view from what its browser and its request say.
 * Not: which view begins a visit (rollups/visit.ts), or how they are stored (packed.ts).
 */
import { readAgent } from "./agent.ts";
import { acquisitionOf } from "./channel.ts";
import { normaliseHost } from "./host.ts";
import { readLanguage } from "./language.ts";
import type { ViewValues } from "./packed.ts";
import { placeOf, readTimeZone } from "./place.ts";
import { readReferrer } from "./referrer.ts";
import { screenClass } from "./screen.ts";
import { readCampaign } from "./utm.ts";

/** What a page may say of itself and its browser; nothing of it is kept as it came. */
export interface ClientFacts {
  /** `document.referrer` for the first view of a page load, an address of the site itself for the others. */
  referrer?: string | undefined;
  /** `location.search`. */
  query?: string | undefined;
  /** `location.host`. */
  host?: string | undefined;
  /** CSS pixels. */
  screenWidth?: number | undefined;
  /** `navigator.language`. */
  language?: string | undefined;
  /** IANA name. */
  timeZone?: string | undefined;
}

/** What the request says, and what is known of the site. */
export interface RequestFacts {
  userAgent: string | undefined;
  /** A country as a CDN states it in a header; null where there is none. */
  countryHeader: string | null;
  /** Hosts that are the site, besides that of the page. */
  ownHosts: readonly string[];
}

/** All of them, as the view that begins a visit has them. */
export function valuesOfFirstView(client: ClientFacts, request: RequestFacts): ViewValues {
  const host = normaliseHost(client.host ?? "");
  const referrer = readReferrer(client.referrer ?? "", [host, ...request.ownHosts]);
  const campaign = readCampaign(client.query ?? "");
  const { utmSource, utmMedium, utmCampaign, utmTerm, utmContent } = campaign;
  const timeZone = readTimeZone(client.timeZone ?? "");
  return {
    host,
    referrerHost: referrer.kind === "external" ? referrer.host : "",
    referrer: referrer.kind === "external" ? referrer.page : "",
    ...acquisitionOf(referrer, campaign),
    ...{ utmSource, utmMedium, utmCampaign, utmTerm, utmContent },
    ...readAgent(request.userAgent ?? ""),
    screen: screenClass(client.screenWidth),
    language: readLanguage(client.language ?? ""),
    timeZone,
    country: placeOf(request.countryHeader, timeZone).country,
  };
}

/** A further view keeps the visit's, and has a host of its own. */
export function valuesOfNextView(visit: ViewValues, client: ClientFacts): ViewValues {
  return { ...visit, host: normaliseHost(client.host ?? "") };
}
