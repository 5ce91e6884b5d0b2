/**
 * Owns: which values that visitors sent may become links, and to what. Everything else stays text.
 * Not: the form in which paths are stored (domain/path.ts).
 */
import { toWellFormed } from "../../domain/text.ts";

/** What a stored path keeps encoded, because decoded it would be another path. */
const STORED_ENCODED = /(%[0-9A-F]{2})/;

/**
 * A link to the page at `path`, in the form in which paths are stored; null when it is not a path of this site.
 * "//host" and "/\\host" look like paths and lead elsewhere.
 */
export function hrefOfPath(path: string): string | null {
  if (!path.startsWith("/") || /^\/[/\\]/.test(path)) return null;
  return toWellFormed(path)
    .split("/")
    .map((segment) =>
      segment
        .split(STORED_ENCODED)
        .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
        .join(""),
    )
    .join("/");
}
