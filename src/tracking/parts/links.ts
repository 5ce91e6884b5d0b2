/**
 * Owns: which link a click is on, and what is said of its address. Not: what kind of link it is (outbound.ts, downloads.ts).
 */

export type Link = HTMLAnchorElement | HTMLAreaElement;

/** Clicks that open a link: with the first button, a finger or a key, and with the middle one. */
export const CLICKS = "click auxclick";

/** The link that a click opens, also one inside a shadow tree; undefined when there is none, or it is no page's address. */
export function linkOf(event: Event): Link | undefined {
  if (event.type === "auxclick" && (event as MouseEvent).button !== 1) return undefined;
  const isLink = (target: EventTarget): target is Link =>
    /^(a|area)$/.test((target as Element).localName) && /^http/.test((target as Link).protocol);
  return event.composedPath().find(isLink);
}

/** An address without its query and fragment, which may name a person or hold a key. */
export function addressOf({ origin, pathname }: Pick<Link, "origin" | "pathname">): string {
  return origin + pathname;
}
