/**
 * Owns: the time zone that a browser reports, in one spelling, and the country that follows: from a CDN's header
 * where there is one, else from the zone.
 * Not: addresses; none is looked up and none is stored.
 */
import { getCountry, getTimezone } from "countries-and-timezones";
import { isZoneName } from "../calendar/zones.ts";

/** Two-letter country headers of common CDNs, in lower case. Which of them to trust is the operator's setting. */
export const COUNTRY_HEADERS = [
  "cf-ipcountry",
  "cloudfront-viewer-country",
  "x-vercel-ip-country",
  "fastly-geo-country",
] as const;

export interface Place {
  /** ISO 3166-1 alpha-2, or "". */
  country: string;
  /** A report says "by time zone": a zone may cover several countries, and then names its largest. */
  by: "header" | "timeZone" | "nothing";
}

/** The current name of a zone (`Asia/Calcutta` becomes `Asia/Kolkata`), or "". Zones of different countries stay apart. */
export function readTimeZone(name: string): string {
  const zone = zoneOf(name);
  if (zone === null) return "";
  const current = zoneOf(zone.aliasOf ?? "");
  return current !== null && current.countries[0] === zone.countries[0] ? current.name : zone.name;
}

export function placeOf(header: string | null, timeZone: string): Place {
  const stated = header?.trim().toUpperCase() ?? "";
  if (isCountry(stated)) return { country: stated, by: "header" };
  const country = zoneOf(timeZone)?.countries[0];
  return country === undefined ? { country: "", by: "nothing" } : { country, by: "timeZone" };
}

/** "XX" (unknown) and "T1" (Tor), which CDNs also send, are no countries. */
function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && getCountry(code) !== null;
}

interface Zone {
  name: string;
  countries: readonly string[];
  aliasOf?: string | null;
}

/** The package looks names up in plain objects, so that `constructor` finds something: only what has countries is a zone. */
function zoneOf(name: string): Zone | null {
  if (!isZoneName(name)) return null;
  const zone: Zone | null = getTimezone(name);
  return zone !== null && Array.isArray(zone.countries) ? zone : null;
}
