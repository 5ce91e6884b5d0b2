/**
 * Owns: the pages without a server, for designing them: `npx vite`, then /src/stories.helpers.html?story=busy&path=/stats.
 * Not: part of any build. Names and numbers in it are invented.
 */
import { ConvexProvider, type ConvexReactClient } from "convex/react";
import { getFunctionName, type FunctionReference } from "convex/server";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router-dom";
import "@fontsource-variable/inter/opsz.css";
import "./site/tokens.css";
import "./site/base.css";
import "./site/site.css";
import "./site/contents.css";
import { App } from "./site/App.tsx";
import type { Stats } from "./stats/stats.ts";

const parameters = new URLSearchParams(window.location.search);
const story = parameters.get("story") ?? "busy";
const path = parameters.get("path") ?? "/stats";

const now = Date.now();
const minute = 60_000;
const thisMinute = Math.floor(now / minute) * minute;

const rankedPages = [
  ["/posts/exact-visitors-without-a-sketch", "Exact visitors without a sketch", "post", 24_655],
  ["/posts/how-footfall-counts", "How Footfall counts", "post", 17_208],
  ["/", "", "home", 12_940],
  ["/posts/install-footfall", "Install Footfall", "post", 9_384],
  ["/posts/what-footfall-stores", "What Footfall stores, and what it does not", "post", 8_127],
  ["/about", "About", "page", 6_011],
  ["/stats", "", "stats", 4_402],
  ["/privacy", "Privacy", "page", 1_204],
  ["/posts/könnte", "Umlauts in paths", "post", 977],
  ["/<img src=x onerror=alert(1)>", "<b>not bold</b>", "missing", 12],
  [`/${"a-very-long-path-that-does-not-end/".repeat(4)}`, "A long one", "missing", 3],
] as const;

const busy: Stats = {
  activeVisitors: 47,
  activeByPath: rankedPages.slice(0, 10).map(([pagePath], index) => ({
    path: pagePath,
    count: [11, 9, 6, 5, 4, 4, 3, 2, 2, 1][index] ?? 1,
  })),
  activePathsTotal: 10,
  totalPageViews: 167_195,
  uniqueVisitors: 51_386,
  visitorsAre: "distinct",
  publishedPosts: 4,
  publishedPages: 2,
  trackingSince: now - 61 * 24 * 60 * minute,
  pageStats: rankedPages.map(([pagePath, title, pageType, views]) => ({
    path: pagePath,
    title: title === "" ? pagePath : title,
    pageType,
    views,
  })),
  pagesTotal: 214,
  viewsToday: 4_037,
  minutes: Array.from({ length: 30 }, (_, index) => ({
    startedAt: thisMinute - (29 - index) * minute,
    views: index === 29 ? 5 : Math.round(9 + 4 * Math.sin(index * 1.7) + (index % 4)),
  })),
  atLeast: false,
  settledAt: now,
  site: { slug: "default", name: "Footfall", timeZone: "Europe/Berlin" },
  backfill: null,
};

const empty: Stats = {
  ...busy,
  activeVisitors: 0,
  activeByPath: [],
  activePathsTotal: 0,
  totalPageViews: 0,
  uniqueVisitors: 0,
  trackingSince: null,
  pageStats: [],
  pagesTotal: 0,
  viewsToday: 0,
  minutes: [],
};

const running: Stats = {
  ...busy,
  totalPageViews: 41_500,
  uniqueVisitors: 12_004,
  atLeast: true,
  backfill: {
    state: "running",
    counted: 36_500,
    remainingAtLeast: 62_000,
    startedAt: now - 90_000,
    finishedAt: null,
    ratePerSecond: 405,
    etaMs: 153_000,
    doneRatio: 0.37,
  },
};

const onlyThisPage: Stats = {
  ...empty,
  activeVisitors: 1,
  activeByPath: [{ path: "/stats", count: 1 }],
  activePathsTotal: 1,
  totalPageViews: 1,
  uniqueVisitors: 1,
  viewsToday: 1,
  trackingSince: now,
  pageStats: [{ path: "/stats", title: "/stats", pageType: "stats", views: 1 }],
  pagesTotal: 1,
  minutes: [{ startedAt: thisMinute, views: 1 }],
};

function statsOf(name: string): Stats | Error | undefined {
  switch (name) {
    case "loading":
      return undefined;
    case "failed":
      return new Error(
        "The question took longer than a second. Everything else on this site is right.",
      );
    case "empty":
      return empty;
    case "first":
      return onlyThisPage;
    case "backfill":
      return running;
    case "stopped":
      return { ...running, backfill: { ...running.backfill!, state: "failed", finishedAt: now } };
    default:
      return busy;
  }
}

const sources = import.meta.glob<string>("../content/**/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

const documents = Object.entries(sources).map(([file, source]) => {
  const [, head = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(head)?.[1] ?? "";
  const kind = file.includes("/posts/") ? "post" : "page";
  const slug = field("slug");
  return {
    kind,
    slug,
    path: kind === "post" ? `/posts/${slug}` : `/${slug}`,
    title: field("title"),
    description: field("description"),
    date: kind === "post" ? field("date") : null,
    readMinutes: Math.max(1, Math.round(body.split(/\s+/).length / 220)),
    body,
  };
});

let served = statsOf(story);

function answer(name: string, args: Record<string, unknown>): unknown {
  if (name === "stats:getHeadline" || name === "stats:getPanels") return served;
  if (story === "loading") return undefined;
  if (name === "stats:countViews") return { views: 4_217, isExact: true };
  if (name === "content:listPosts") {
    return documents
      .filter(({ kind }) => kind === "post")
      .sort((a, b) => (b.date ?? "").localeCompare(a.date ?? ""));
  }
  const { kind, slug } = args;
  return documents.find((one) => one.kind === kind && one.slug === slug) ?? null;
}

const listeners = new Set<() => void>();

/** As much of the client as the pages use. */
const client = {
  url: "http://stories.invalid",
  watchQuery: (query: FunctionReference<"query">, args: Record<string, unknown> = {}) => ({
    onUpdate: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    localQueryResult: () => {
      const value = answer(getFunctionName(query), args);
      if (value instanceof Error) throw value;
      return value;
    },
    journal: () => undefined,
  }),
  mutation: () => Promise.resolve(null),
  query: () => Promise.resolve({ lagMs: 0 }),
  connectionState: () => ({
    isWebSocketConnected: story !== "disconnected" && story !== "unreachable",
    hasEverConnected: story !== "unreachable",
  }),
  subscribeToConnectionState: () => () => undefined,
};

if (parameters.has("moving")) {
  setInterval(() => {
    if (served === undefined || served instanceof Error) return;
    const [first, second, ...rest] = served.pageStats;
    if (first === undefined || second === undefined) return;
    served = {
      ...served,
      activeVisitors: (served.activeVisitors ?? 0) + 1,
      totalPageViews: served.totalPageViews + 7,
      viewsToday: served.viewsToday + 7,
      pageStats: [{ ...second, views: first.views + 5 }, first, ...rest],
    };
    for (const listener of listeners) listener();
  }, 1_500);
}

const root = document.getElementById("root");
if (root === null) throw new Error('stories.helpers.html has no element with the id "root".');

createRoot(root).render(
  <StrictMode>
    <ConvexProvider client={client as unknown as ConvexReactClient}>
      <MemoryRouter initialEntries={[path]}>
        <App />
      </MemoryRouter>
    </ConvexProvider>
  </StrictMode>,
);
