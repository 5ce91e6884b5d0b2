/**
 * Owns: the real browser as the parts of the hook's tracker: clock, storage, beacon, events.
 * Not: any rule. Beside script.ts, page-api.ts, ids.ts and the parts the only file of this room that touches globals,
 * and only when it is called.
 */
import type { ConvexReactClient } from "convex/react";
import type { VisitorMode } from "../../domain/visitor-modes.ts";
import { createConvexTransport } from "./convex-transport.ts";
import { createEventLanes, type EventAddress } from "./event-lanes.ts";
import type { EventOptions, EventProperties, TrackEvent } from "./events.ts";
import { createHookTracker, type Clock } from "./hook-tracker.ts";
import { newId } from "./ids.ts";
import { createHolding, type Holding, type RunningTracker } from "./holding.ts";
import { createKeptStorage } from "./kept-storage.ts";
import { OPT_OUT_KEY } from "./keys.ts";
import { siteUrlOf, type SendBeacon } from "./leave-beacon.ts";
import { createOpenTabs } from "./open-tabs.ts";
import { followPage } from "./page-events.ts";
import type { Part, PartCore } from "./parts/part.ts";
import { isPrivacyAsked, keepingOf, passingVisitor, withoutPresence } from "./privacy.ts";
import { createSurroundings, type Surroundings } from "./surroundings.ts";
import { createVisitor, optInTo, optOutOf } from "./visitor.ts";

export type BrowserTracking = {
  client: ConvexReactClient;
  /** Slug of the site; the deployment's default site when absent. */
  site?: string | undefined;
  /** Where the deployment's HTTP routes answer; derived from the client's address when absent. */
  siteUrl?: string | undefined;
  /** localStorage key of the visitor's id; "footfall_session_id" when absent. */
  sessionIdKey?: string | undefined;
  /** What is counted besides views: `[outboundLinks, engagement]`. A part that nobody names is not loaded. */
  parts?: readonly Part[] | undefined;
  /** Hosts, separated by blanks, links to which are no outbound links. */
  ownHosts?: string | undefined;
  /** As the site's own setting says it; "browser" when absent. */
  visitors?: VisitorMode | undefined;
};

const lanes = createEventLanes<ConvexReactClient>(() => performance.now());

const storage = createKeptStorage(() => window.localStorage);

const clock: Clock = {
  now: () => Date.now(),
  setTimer(callback, afterMs) {
    const timer = setTimeout(callback, afterMs);
    return () => clearTimeout(timer);
  },
};

const sendBeacon: SendBeacon = (url, body) => navigator.sendBeacon(url, body);

function browserSurroundings(): () => Surroundings {
  return createSurroundings({
    document,
    location,
    window,
    navigator,
    timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
}

/** Hears the window until the signal is given. */
function listenUntil(signal: AbortSignal): PartCore["listen"] {
  return (names, listener, isLate = false) => {
    for (const name of names.split(" "))
      window.addEventListener(name, listener, { capture: !isLate, passive: true, signal });
  };
}

function startTracker(
  { client, site, siteUrl, sessionIdKey, visitors, parts, ownHosts }: BrowserTracking,
  { surroundings, isAgain }: { surroundings: () => Surroundings; isAgain: boolean },
): RunningTracker {
  const { isPassing, isOfNobody } = keepingOf(visitors, isPrivacyAsked(navigator));
  const known = createVisitor({ storage, newId, sessionIdKey });
  const visitor = isPassing ? passingVisitor(known, newId) : known;
  const kept = isPassing ? createKeptStorage(() => window.localStorage, {}, isPassing) : storage;
  const listening = new AbortController();
  const transport = createConvexTransport({
    client,
    clock,
    sendBeacon,
    siteUrl: siteUrl ?? siteUrlOf(client.url),
    site,
    hasOptedOut: () => visitor.hasOptedOut(),
    report: (sentence) => console.warn(sentence),
  });
  const tracker = createHookTracker({
    clock,
    visitor,
    tabs: createOpenTabs({
      storage: kept,
      now: () => clock.now(),
      tabId: newId(),
      site: site ?? "",
    }),
    transport: isOfNobody ? withoutPresence(transport) : transport,
    isVisible: () => !document.hidden,
    surroundings,
    newEventId: newId,
    parts,
    world: { listen: listenUntil(listening.signal), ownHosts, isAgain },
  });
  const unfollow = followPage(tracker, { window, document });
  const close = lanes.open({ client, site, sendEvent: tracker.sendEvent });
  return {
    tracker,
    stop() {
      tracker.end();
      close();
      listening.abort();
      unfollow();
    },
  };
}

/** Bound to a client and a site where they are named. */
export function trackerOf(address: EventAddress<ConvexReactClient>): TrackEvent {
  return (...event) => lanes.send(address, event);
}

/**
 * Something happened on the page that `usePageTracking` or `<Footfall />` follows, or does half a second later. It is
 * sent once the page has been seen, and counts once; a name has up to 64 characters, and there are up to 30 properties, of up to 300 characters.
 */
export function track(
  name: string,
  properties?: EventProperties,
  options?: EventOptions & { site?: string | undefined },
): void {
  lanes.send({ site: options?.site }, [name, properties, options]);
}

const holdings = new WeakMap<ConvexReactClient, Map<string, Holding>>();

/** A tracker that ends and starts again is still the same page load. */
function newHolding(tracking: BrowserTracking): Holding {
  const surroundings = browserSurroundings();
  let starts = 0;
  return createHolding(clock, () => {
    starts += 1;
    return startTracker(tracking, { surroundings, isAgain: starts > 1 });
  });
}

/** The one holding of a client and a site: what its first caller asked for stays. */
export function holdingFor(tracking: BrowserTracking): Holding {
  const ofClient = holdings.get(tracking.client) ?? new Map<string, Holding>();
  holdings.set(tracking.client, ofClient);
  const site = tracking.site ?? "";
  const holding = ofClient.get(site) ?? newHolding(tracking);
  ofClient.set(site, holding);
  return holding;
}

/**
 * From now on this browser is not counted on this origin: nothing is sent, and the visitor's id is forgotten.
 * Whoever used another `sessionIdKey` names it here too. False when the browser refuses to keep the flag
 * (localStorage key "footfall_opt_out"): then it holds until the page is closed.
 */
export function optOut(sessionIdKey?: string): boolean {
  return optOutOf(storage, sessionIdKey);
}

/** This browser is counted again, from its next view on and as a new visitor. */
export function optIn(): void {
  optInTo(storage);
}

export function isOptedOut(): boolean {
  return storage.read(OPT_OUT_KEY) !== "";
}
