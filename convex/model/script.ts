/**
 * Owns: serving the script tag: which build of it with which parts, as one file, and how long it may be kept.
 * Not: the script (src/tracking/script.ts, src/tracking/parts/), or building it (scripts/tracking-script.ts).
 *
 * Pages are of other origins and may check the text (`integrity`), for which a browser asks with CORS. A new version
 * shows within an hour; the hash of the text tells a browser that asks again whether it has changed.
 */
import { textOf } from "../../domain/script-parts.ts";
import { SCRIPT_TEXTS } from "./scriptTexts.ts";

const HEADERS = {
  "Content-Type": "text/javascript; charset=utf-8",
  "Cache-Control": "public, max-age=3600, stale-while-revalidate=86400",
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Content-Type-Options": "nosniff",
};

/** `?parts=outbound+downloads` adds those parts, `?parts=none` leaves out what can be left out. */
export async function serve(request: Request): Promise<Response> {
  const text = textOf(new URL(request.url).searchParams.get("parts") ?? "", SCRIPT_TEXTS);
  const etag = `"${await integrityOf(text)}"`;
  const headers = { ...HEADERS, ETag: etag };
  const known = request.headers.get("If-None-Match") ?? "";
  // A proxy that has compressed the text calls its tag a weak one.
  const isKnown = known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
  return isKnown
    ? new Response(null, { status: 304, headers })
    : new Response(text, { status: 200, headers });
}

/** What a page that pins the text says in `integrity`. */
async function integrityOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-384", new TextEncoder().encode(text));
  return `sha384-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
