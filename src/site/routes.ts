/**
 * Owns: which addresses the site has, and the type that a view of each is counted under.
 * Not: what they show (App.tsx).
 */

export type PageType = "home" | "posts" | "post" | "page" | "stats" | "help" | "missing";

/** The type of the page at `path`, a pathname. A page that turns out not to exist still looks like one here. */
export function pageTypeOf(path: string): PageType {
  const segments = path.split("/").filter((segment) => segment !== "");
  const [first, second] = segments;
  if (first === undefined) return "home";
  if (segments.length > 2) return "missing";
  if (second !== undefined) return first === "posts" ? "post" : "missing";
  if (first === "posts") return "posts";
  return first === "stats" || first === "help" ? first : "page";
}
