/** Owns: what a browser may do with the pages that the engine serves. Only shared statistics may stand in frames of other pages. */
import type { IncomingHttpHeaders } from "node:http";
import type { AnswerHeaders } from "./exchange.ts";

const PLAIN_HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?$/i;

/** Statistics that were shared, and nothing else: there is nothing on them that a click could change. */
const FRAMED = /^\/share\//;

/** Nothing of a third party, no inline code. Safari before 15.4 does not take 'self' for websockets, so the host is named. */
function contentSecurityPolicy(host: string | undefined, isFramed: boolean): string {
  const sockets = host !== undefined && PLAIN_HOST.test(host) ? ` ws://${host} wss://${host}` : "";
  return [
    "default-src 'self'",
    `connect-src 'self'${sockets}`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    isFramed ? "frame-ancestors *" : "frame-ancestors 'none'",
  ].join("; ");
}

export function securityHeaders(headers: IncomingHttpHeaders, pathname: string): AnswerHeaders {
  const isFramed = FRAMED.test(pathname);
  return {
    "content-security-policy": contentSecurityPolicy(headers.host, isFramed),
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    ...(isFramed ? {} : { "x-frame-options": "DENY" }),
    "cross-origin-opener-policy": "same-origin",
  };
}
