/**
 * Owns: which events of a real page mean what to the hook's tracker.
 * Not: what the tracker does about them (tracker.ts); the script listens by itself (script.ts), in fewer bytes.
 *
 * A page that is rendered ahead of time, or frozen, is hidden too. `unload` and `beforeunload` are not used: a
 * listener on them keeps the page out of the back/forward cache.
 */
import { OPT_OUT_KEY, TAB_KEYS } from "./keys.ts";
import type { Tracker } from "./tracker.ts";

/** `window` and `document`; both are passed in. */
export type PageWorld = { window: EventTarget; document: EventTarget };

type Heard = { key?: string | null };

/** Tells the tracker what happens to the page until the returned function is called. */
export function followPage(tracker: Tracker, { window, document }: PageWorld): () => void {
  const listening = new AbortController();

  function on(target: EventTarget, name: string, act: (event: Event & Heard) => void) {
    target.addEventListener(name, act, { signal: listening.signal });
  }

  for (const name of ["visibilitychange", "prerenderingchange", "resume"])
    on(document, name, () => tracker.look());
  on(window, "pagehide", () => tracker.leave());
  on(window, "pageshow", () => tracker.look());
  on(window, "storage", ({ key }) => {
    if (key?.startsWith(TAB_KEYS) || key === OPT_OUT_KEY) tracker.look();
  });
  tracker.look();
  return () => listening.abort();
}
