/**
 * Owns: what a browser on another site may do: call public functions, and nothing of the admin surface.
 * Not: CORS of HTTP actions, which the app answers itself.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Answer, AnswerHeaders } from "./exchange.ts";

/** A day: browsers cap it lower by themselves. */
const PREFLIGHT_KEPT_SECONDS = 86_400;

/** No credentials: the public API knows no cookies. */
export const openToAllSites: AnswerHeaders = { "access-control-allow-origin": "*", vary: "origin" };

export function preflight(headers: IncomingHttpHeaders): Answer {
  return {
    status: 204,
    headers: {
      ...openToAllSites,
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-allow-headers":
        headers["access-control-request-headers"] ?? "authorization, content-type, convex-client",
      "access-control-max-age": String(PREFLIGHT_KEPT_SECONDS),
    },
    body: null,
  };
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Whether whoever sends this may use the admin key: a program (it sends no Origin), a page on this machine, or a
 * page of the configured origin. The Host header proves nothing: a foreign name can be pointed at this machine.
 */
export function mayBeAdmin(headers: IncomingHttpHeaders, appOrigin: string | null): boolean {
  const { origin } = headers;
  if (origin === undefined) return true;
  if (appOrigin !== null && origin === appOrigin) return true;
  return URL.canParse(origin) && LOOPBACK_HOSTS.has(new URL(origin).hostname);
}
