/**
 * Owns: serving the script tag: which build of it, and how long it may be kept.
 * Not: the script (src/tracking/script.ts), or building it (scripts/tracking-script.ts).
 *
 * Pages are of other origins and may check the text (`integrity`), for which a browser asks with CORS. A new version
 * shows within an hour; the hash of the text tells a browser that asks again whether it has changed.
 */
import { SCRIPT_TEXTS } from "./scriptTexts.ts";

const HEADERS = {
  "Content-Type": "text/javascript; charset=utf-8",
  "Cache-Control": "public, max-age=3600, stale-while-revalidate=86400",
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
};

/** `?parts=none` is the core alone: for whoever counts bytes more than tabs and tunnels. */
export function serve(request: Request): Response {
  const parts = new URL(request.url).searchParams.get("parts");
  const { text, integrity } = parts === "none" ? SCRIPT_TEXTS.core : SCRIPT_TEXTS.whole;
  const etag = `"${integrity}"`;
  const headers = { ...HEADERS, ETag: etag };
  const known = request.headers.get("If-None-Match") ?? "";
  // A proxy that has compressed the text calls its tag a weak one.
  const isKnown = known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
  return isKnown
    ? new Response(null, { status: 304, headers })
    : new Response(text, { status: 200, headers });
}
