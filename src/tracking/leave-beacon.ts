/**
 * Owns: what a page says that is already going away, when a websocket no longer gets anything out.
 * Not: when that is (tracker.ts, parts/engagement.ts); what the server makes of it (convex/http.ts).
 */
import { MAX_BEACON_LENGTH } from "../../domain/limits.ts";
import type { Leave, Report } from "./hook-tracker.ts";

/** `navigator.sendBeacon`: false when the browser does not take the message. May throw (a blocked address). */
export type SendBeacon = (url: string, body: string) => boolean;

/**
 * A string goes out as text/plain, which no browser asks the server's permission for first (no CORS preflight).
 * A path that makes the body too long for the server is left out: the last view's id says the same.
 */
export function leaveBody({ path, ...leave }: Leave, site?: string): string {
  const rest = { kind: "leave", ...leave, site };
  const body = JSON.stringify({ ...rest, path });
  return body.length <= MAX_BEACON_LENGTH ? body : JSON.stringify(rest);
}

/** How a view was read. */
export function reportBody(report: Report, site?: string): string {
  return JSON.stringify({ kind: "engagement", ...report, site });
}

/** Where the HTTP routes of a deployment answer: a host of its own on Convex Cloud, else the same origin. */
export function siteUrlOf(deploymentUrl: string): string {
  return deploymentUrl.replace(/\.convex\.cloud(?=\/|$)/, ".convex.site").replace(/\/$/, "");
}
