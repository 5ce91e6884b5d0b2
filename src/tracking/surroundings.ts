/**
 * Owns: what a view says besides its page: where the visitor came from, and what their browser is set to.
 * Not: what the server makes of it (domain/dimensions/), which keeps none of it as it came.
 */

import { isPrivacyAsked, type AskingNavigator } from "./privacy.ts";

export type Surroundings = {
  referrer?: string;
  query?: string;
  host?: string;
  /** CSS pixels. */
  screenWidth?: number;
  language?: string;
  timeZone?: string;
  /** The reader asks not to be tracked. */
  isPrivate?: true;
};

/** The parts of the browser that are read, each at the moment of a view. */
export type SurroundingWorld = {
  document: { readonly referrer: string };
  location: { readonly origin: string; readonly host: string; readonly search: string };
  window: { readonly innerWidth: number };
  navigator: AskingNavigator & { readonly language: string };
  timeZone: () => string;
};

/** UTF-16 units; no campaign tags are longer, and a view must stay small. */
const MAX_SENT_QUERY_LENGTH = 2_048;

/**
 * The first view of a page load came from where the browser says. The ones after it came from the site itself: a page
 * that changes its route keeps its `document.referrer` for ever, and a visitor who comes back to it after an hour has
 * not come from there again.
 */
export function createSurroundings(world: SurroundingWorld): () => Surroundings {
  let isFirst = true;
  return () => {
    const { document, location, window, navigator } = world;
    const referrer = isFirst ? document.referrer : `${location.origin}/`;
    isFirst = false;
    return {
      ...(referrer === "" ? {} : { referrer }),
      ...(location.search === "" ? {} : { query: location.search.slice(0, MAX_SENT_QUERY_LENGTH) }),
      host: location.host,
      screenWidth: window.innerWidth,
      language: navigator.language,
      timeZone: world.timeZone(),
      ...(isPrivacyAsked(navigator) ? { isPrivate: true } : {}),
    };
  };
}
