/** A tracker that starts again within one page load (holding.ts) says nothing of the load a second time. */
import { beforeEach, expect, test, vi } from "vitest";
import type { PartCore } from "./part.ts";
import { notFound } from "./not-found.ts";
import { vitals } from "./vitals.ts";

const library = vi.hoisted(() => ({ heard: [] as ((metric: object) => void)[] }));
vi.mock("web-vitals", () => {
  const hear = (tell: (metric: object) => void) => void library.heard.push(tell);
  return { onCLS: hear, onFCP: hear, onINP: hear, onLCP: hear, onTTFB: hear };
});

/** A tracker with one part, in a window that hears until it ends. */
function startOn(window: EventTarget, isAgain: boolean) {
  let onView: (eventId?: string) => void = () => {};
  const end = new AbortController();
  const events: unknown[][] = [];
  const core: PartCore = {
    sendEvent: (...event) => void events.push(event),
    sendReport: () => undefined,
    onView: (listener) => {
      onView = listener;
    },
    currentPath: () => "/lost",
    listen: (name, listener) => window.addEventListener(name, listener, { signal: end.signal }),
    reportFields: {},
    ownHosts: undefined,
    isAgain,
  };
  return { core, events, view: (id: string) => onView(id), end: () => end.abort() };
}

class Loaded {
  responseStatus = 404;
}

let page: EventTarget;
beforeEach(() => {
  page = new EventTarget();
  vi.stubGlobal("window", page);
  vi.stubGlobal("document", { querySelector: () => null, referrer: "" });
  vi.stubGlobal("PerformanceNavigationTiming", Loaded);
  vi.stubGlobal("performance", { now: () => 0, getEntriesByType: () => [new Loaded()] });
  return () => vi.unstubAllGlobals();
});

test("a page that the server did not find is told once", () => {
  const [first, second] = [startOn(page, false), startOn(page, true)];
  for (const { core, view } of [first, second]) {
    notFound(core);
    view("e1");
  }
  expect(first.events).toEqual([["404", { path: "/lost" }, { interactive: false }]]);
  expect(second.events).toEqual([]);
});

test("Web Vitals are heard of once, and are of the view of the load alone", () => {
  const first = startOn(page, false);
  vitals(first.core);
  first.view("e1");
  const [tell] = library.heard;
  tell?.({ name: "LCP", value: 1_200.4 });
  expect(first.core.reportFields.vitals).toEqual({ lcpMs: 1_200 });
  first.end();

  const second = startOn(page, true);
  vitals(second.core);
  second.view("e2");
  tell?.({ name: "LCP", value: 1_300 });
  expect(library.heard).toHaveLength(5);
  expect(second.core.reportFields.vitals).toBeUndefined();
  expect(first.core.reportFields.vitals).toEqual({ lcpMs: 1_200 });

  page.dispatchEvent(new Event("pagehide"));
  second.view("e3");
  tell?.({ name: "LCP", value: 300 });
  expect(second.core.reportFields.vitals).toEqual({ lcpMs: 300 });
});
