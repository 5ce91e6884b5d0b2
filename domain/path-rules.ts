/**
 * Owns: what a site's own rules make of a path: left out, grouped with others, or told apart by parts of its query.
 * Not: the form that every path has (path.ts).
 *
 * A pattern is compared segment by segment with a path in that form: `*` stands for any run of characters within one
 * segment, and a last segment `**` for whatever follows, also nothing. So `/user/*` is `/user/7` and not
 * `/user/7/edit`, and `/admin/**` is `/admin` and all below it.
 */
import { MAX_PATH_LENGTH } from "./limits.ts";
import { normalisePath } from "./path.ts";
import { cutAt } from "./text.ts";

export interface PathRules {
  /** Names of query parameters that make a page another one; all others are cut off. */
  readonly keepQuery: readonly string[];
  /** Paths that one of them matches are counted under the pattern. */
  readonly group: readonly string[];
  /** Paths that one of them matches are not counted. */
  readonly exclude: readonly string[];
}

/** Patterns of one kind, and names: each hit is compared with all of them. */
export const MAX_RULES_OF_A_KIND = 50;

/** UTF-16 units of a pattern. */
const MAX_PATTERN_LENGTH = 256;

const REST = "**";
const QUERY_NAME = /^[\w.~-]{1,64}$/;

/** Why the pattern is none; null when it is one. */
export function faultOfPattern(pattern: string): string | null {
  if (!pattern.startsWith("/")) return 'it does not begin with "/"';
  if (pattern.length > MAX_PATTERN_LENGTH) return `it is longer than ${MAX_PATTERN_LENGTH}`;
  if (/[?#]/.test(pattern)) return 'it has a "?" or "#", and only paths are compared';
  if (normalisePath(pattern) !== pattern) return `paths are written ${normalisePath(pattern)} here`;
  const isSplit = pattern
    .split("/")
    .slice(0, -1)
    .some((segment) => segment.includes(REST));
  return isSplit ? 'only its last segment can be "**"' : null;
}

export function isQueryName(name: string): boolean {
  return QUERY_NAME.test(name);
}

/** `path` is in its form, `query` a `location.search`. Null when the site leaves the path out. */
export function applyPathRules(path: string, query: string, rules: PathRules): string | null {
  if (rules.exclude.some((pattern) => matches(pattern, path))) return null;
  const group = rules.group.find((pattern) => matches(pattern, path));
  return withQuery(group ?? path, query, rules);
}

/** The path with what the rules keep of the query, in the rules' order, so that one page has one form. */
export function withQuery(path: string, query: string, { keepQuery }: PathRules): string {
  if (keepQuery.length === 0 || query === "") return path;
  const asked = new URLSearchParams(query);
  const kept = new URLSearchParams();
  for (const name of keepQuery) {
    for (const value of asked.getAll(name)) kept.append(name, value);
  }
  const text = kept.toString();
  return text === "" ? path : cutAt(`${path}?${text}`, MAX_PATH_LENGTH).replace(/%.?$/, "");
}

export function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split("/");
  const segments = path.split("/");
  if (wanted.at(-1) === REST) {
    wanted.pop();
    segments.length = Math.min(segments.length, wanted.length);
  }
  // "/" alone is one empty segment after the root, and "/**" is everything.
  if (wanted.length !== segments.length) return false;
  return wanted.every((part, place) => matchesStars(part, segments[place] ?? ""));
}

/** The pieces between the stars, in order: the first at the beginning, the last at the end, the others where they come first. */
export function matchesStars(pattern: string, segment: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return segment === first;
  if (segment.length < first.length + last.length) return false;
  if (!segment.startsWith(first) || !segment.endsWith(last)) return false;
  const end = segment.length - last.length;
  let at = first.length;
  for (const piece of others) {
    const found = segment.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  // A star that is the whole segment stands for something.
  return pattern !== "*" || segment !== "";
}
