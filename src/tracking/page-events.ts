/**
 * Owns: which events of a real page mean what to the tracker.
 * Not: what the tracker does about them (tracker.ts).
 *
 * `freeze` needs no handling: a page is frozen only while it is hidden, and a hidden page has nothing to send.
 * `unload` and `beforeunload` are not used: a listener on them keeps the page out of the back/forward cache.
 */
import { TAB_KEYS } from "./open-tabs.ts";
import type { Tracker } from "./tracker.ts";

/** The parts of `window` and `document` that are read; both are passed in. */
export type PageWorld = { window: EventTarget; document: EventTarget & PageFacts };

type PageFacts = {
  readonly visibilityState: string;
  /** True while the browser renders a page that nobody has asked to see yet. */
  readonly prerendering?: boolean;
};

type Heard = { persisted?: boolean; key?: string | null };

/** Tells the tracker what happens to the page until the returned function is called. */
export function followPage(tracker: Tracker, { window, document }: PageWorld): () => void {
  const listening = new AbortController();

  function look() {
    if (document.visibilityState === "visible" && !document.prerendering) tracker.show();
    else tracker.hide();
  }

  function on(target: EventTarget, name: string, act: (event: Event & Heard) => void) {
    target.addEventListener(name, act, { signal: listening.signal });
  }

  for (const name of ["visibilitychange", "prerenderingchange", "resume"]) on(document, name, look);
  on(window, "pagehide", () => tracker.leave());
  on(window, "pageshow", ({ persisted }) => {
    if (!persisted) return;
    tracker.restore();
    look();
  });
  on(window, "storage", ({ key }) => {
    if (key?.startsWith(TAB_KEYS)) tracker.hear();
  });
  look();
  return () => listening.abort();
}
