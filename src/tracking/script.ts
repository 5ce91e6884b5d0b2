/**
 * Owns: the script tag: the real browser as the parts of its tracker, and the parts that a build of it has.
 * Not: what counts (tracker.ts); building and serving (scripts/tracking-script.ts, convex/model/script.ts).
 *
 * Every byte of this is loaded by every page of every site: `npm run size` weighs it, and scripts/tracking-script.test.ts
 * holds the core to its budget. So what the server sees by itself (host, language) is not sent, `pageshow` is not heard
 * (a page that comes back is made visible, which is), and a few lines are terser than elsewhere.
 */
import { createEvents } from "./events.ts";
import { createHitQueue } from "./hit-queue.ts";
import { newId } from "./ids.ts";
import { createKeptValues } from "./kept-storage.ts";
import { OPT_OUT_KEY, SESSION_ID_KEY } from "./keys.ts";
import { createLoneTab } from "./lone-tab.ts";
import { offer } from "./page-api.ts";
import type { ScriptCore } from "./parts/part.ts";
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
declare const WITH_EVENTS: boolean;
declare const WITH_PARTS: boolean;
/** Where the server puts the parts that the page asks for (convex/model/script.ts). */
declare const PARTS: (core: ScriptCore) => void;

/** A router sets the title after the path: a new path is looked at so much later. */
const TITLE_SET_AFTER_MS = 99;

const script = document.currentScript as HTMLScriptElement | null;

// A module has no tag of its own, a tag without an address no server, and a page without a host (a file, about:srcdoc)
// no site: there it does nothing.
if (script?.src && location.host) {
  const { site, endpoint, visitors } = script.dataset;
  const url = new URL(endpoint ?? "e", script.src);
  // Do Not Track, Global Privacy Control, or a site that tells visitors apart by day or not at all: nothing is kept, and
  // each message has a new id, at which the server does not look (it hears of the first two by the request's headers).
  const isPrivate = +navigator.doNotTrack! || navigator.globalPrivacyControl || visitors;
  const inMemory = {};
  const storage = createKeptValues(() => localStorage, inMemory, isPrivate);
  const post = (body: string) =>
    fetch(url, { method: "POST", body, keepalive: true, credentials: "omit" });
  const queue = WITH_OFFLINE ? createHitQueue(storage, post) : undefined;
  let { referrer } = document;
  let timer: number;

  /** What the tracker sees of this page. */
  const page = {
    currentPath: () =>
      (location.pathname + ("hash" in script.dataset ? location.hash : "")).replace(/\/?#\/?/, "/"),
    isVisible: () => !document.hidden,
    hasOptedOut: () => storage.read(OPT_OUT_KEY),
    describe() {
      if (WITH_PARTS) tell!();
      const view = {
        eventId: newId(),
        title: document.title,
        referrer,
        query: location.search,
        screenWidth: innerWidth,
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      };
      referrer = location.origin;
      return view;
    },
  };

  const tabs = WITH_TABS
    ? createTabNote({ storage, now: () => Date.now(), site })
    : createLoneTab(() => performance.now());

  const send = (message: object & { kind: string; eventId?: string | undefined }) => {
    const sessionId = (!isPrivate && storage.read(SESSION_ID_KEY)) || newId();
    const hit = JSON.stringify({ site, sessionId, ...message });
    storage.write(SESSION_ID_KEY, sessionId);
    if (WITH_OFFLINE && /view|event/.test(message.kind)) queue!.add(hit);
    else post(hit).catch(() => {});
    if (WITH_EVENTS && message.kind === "view") {
      events!.pageSeen();
      if (WITH_PARTS) tell!(message.eventId);
    }
  };

  const events = WITH_EVENTS
    ? createEvents({
        currentPath: page.currentPath,
        hasOptedOut: page.hasOptedOut,
        newId,
        send,
      })
    : undefined;

  const wakeIn = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(look, ms);
  };

  const { look, leave } = createTracker(page, tabs, send, wakeIn);

  const commands = WITH_EVENTS ? { event: events!.sendEvent } : undefined;
  const viewListeners: ((eventId?: string) => void)[] | undefined = WITH_PARTS ? [] : undefined;
  const tell = WITH_PARTS
    ? (eventId?: string) => viewListeners!.forEach((listener) => listener(eventId))
    : undefined;
  if (WITH_PARTS)
    PARTS({
      sendEvent: events!.sendEvent,
      sendReport: (report) => page.hasOptedOut() || send({ kind: "engagement", ...report }),
      onView: (listener) => viewListeners!.push(listener),
      currentPath: page.currentPath,
      listen: (names, listener, isLate) =>
        names
          .split(" ")
          .forEach((name) => addEventListener(name, listener, { capture: !isLate, passive: true })),
      reportFields: {},
      ownHosts: script.dataset["ownHosts"],
      commands: commands!,
      inMemory,
      look,
    });

  const follow = (name: "pushState" | "replaceState") => {
    const original = history[name].bind(history);
    history[name] = (...args) => {
      original(...args);
      setTimeout(look, TITLE_SET_AFTER_MS);
    };
  };
  follow("pushState");
  follow("replaceState");
  addEventListener("popstate", look);
  addEventListener("visibilitychange", look);
  addEventListener("pagehide", leave);
  if (WITH_TABS) addEventListener("storage", look);
  if (WITH_OFFLINE) {
    addEventListener("online", queue!.flush);
    addEventListener("pagehide", queue!.release);
    queue!.flush();
  }
  look();
  if (WITH_EVENTS) offer(commands!);
}
