/**
 * Owns: the script tag: the real browser as the parts of its tracker, and the parts that a build of it has.
 * Not: what counts (tracker.ts); building and serving (scripts/tracking-script.ts, convex/model/script.ts).
 *
 * Every byte of this is loaded by every page of every site. `src/tracking/script.test.ts` holds it to its size.
 */
import { createHitQueue } from "./hit-queue.ts";
import { newId } from "./ids.ts";
import { createKeptValues } from "./kept-storage.ts";
import { OPT_OUT_KEY, SESSION_ID_KEY } from "./keys.ts";
import { createLoneTab } from "./lone-tab.ts";
import { createTabNote } from "./tab-note.ts";
import { createTracker } from "./tracker.ts";

declare global {
  interface Navigator {
    /** https://w3c.github.io/gpc/ */
    readonly globalPrivacyControl?: boolean;
  }
}

/** What the build puts in. */
declare const WITH_TABS: boolean;
declare const WITH_OFFLINE: boolean;

/** A router sets the title after the path: a new path is looked at so much later. */
const TITLE_SET_AFTER_MS = 99;

const script = document.currentScript as HTMLScriptElement | null;

// A module has no tag of its own, and a page without a host (a file, about:blank) is nobody's site.
if (script?.src && location.host) {
  const { site, hash, endpoint = "e" } = script.dataset;
  const url = new URL(endpoint, script.src);
  // Whoever asks not to be tracked is counted under a new id at each view, and nothing is kept.
  const isPrivate = +navigator.doNotTrack! || navigator.globalPrivacyControl;
  const storage = createKeptValues(() => localStorage, isPrivate);
  const post = (body: string) =>
    fetch(url, { method: "POST", body, keepalive: true, credentials: "omit" });
  const queue = WITH_OFFLINE ? createHitQueue(storage, post) : undefined;
  let { referrer } = document;
  let timer: number;

  const wakeIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(look, ms);
  };

  const { look, leave } = createTracker({
    currentPath: () =>
      (location.pathname + (hash === undefined ? "" : location.hash)).replace(/\/?#\/?/, "/"),
    isVisible: () => !document.hidden,
    hasOptedOut: () => storage.read(OPT_OUT_KEY),
    tabs: WITH_TABS
      ? createTabNote({ storage, now: () => Date.now(), site })
      : createLoneTab(() => performance.now()),
    describe() {
      const { host, search, origin } = location;
      const view = {
        eventId: newId(),
        title: document.title,
        referrer,
        query: search,
        host,
        screenWidth: innerWidth,
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      };
      if (isPrivate) storage.write(SESSION_ID_KEY, "");
      referrer = origin;
      return view;
    },
    send(message) {
      if (!storage.read(SESSION_ID_KEY)) storage.write(SESSION_ID_KEY, newId());
      const hit = JSON.stringify({ site, sessionId: storage.read(SESSION_ID_KEY), ...message });
      if (WITH_OFFLINE && message.kind === "view") queue!.add(hit);
      else post(hit).catch(() => {});
    },
    wakeIn,
  });

  for (const name of ["pushState", "replaceState"] as const) {
    const original = history[name];
    history[name] = (...args) => {
      original.apply(history, args);
      wakeIn(TITLE_SET_AFTER_MS);
    };
  }
  for (const name of ["popstate", "visibilitychange", "pageshow", "storage"])
    addEventListener(name, look);
  addEventListener("pagehide", leave);
  if (WITH_OFFLINE) {
    addEventListener("online", queue!.flush);
    void queue!.flush();
  }
  look();
}
