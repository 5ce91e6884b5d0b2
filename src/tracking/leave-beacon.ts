/**
 * Owns: saying goodbye from a page that is already going away, when a websocket no longer gets anything out.
 * Not: when a visitor leaves (tracker.ts); what the server makes of it (convex/http.ts).
 */
import type { Leave } from "./tracker.ts";

/** `navigator.sendBeacon`: false when the browser does not take the message. May throw (a blocked address). */
export type SendBeacon = (url: string, body: string) => boolean;

/** A string body goes out as text/plain, which no browser asks the server's permission for first (no CORS preflight). */
export function leaveBody(leave: Leave, site?: string): string {
  return JSON.stringify({ kind: "leave", ...leave, ...(site === undefined ? {} : { site }) });
}

/** Where the HTTP routes of a deployment answer: a host of its own on Convex Cloud, else the same origin. */
export function siteUrlOf(deploymentUrl: string): string {
  return deploymentUrl.replace(/\.convex\.cloud(?=\/|$)/, ".convex.site").replace(/\/$/, "");
}
