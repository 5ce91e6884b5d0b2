/**
 * Owns: a Footfall whose past is known to the last view: an engine in this process, whose clock is moved.
 * Not: what /stats makes of it (known-past.test.ts).
 */
import { ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api.js";
import { DAY_MS, HOUR_MS } from "../../domain/calendar/civil.ts";
import { MINUTE_MS } from "../../domain/minutes.ts";
import { startEngine } from "../../engine/index.ts";
import { moveClock } from "../../scripts/camera/visits.ts";
import { pushFunctions, writeCliEnvFile } from "../../scripts/embedded/push.ts";
import { SITE_FOLDER } from "../../scripts/embedded/site.ts";
import { newFolder, removeFolder } from "./footfall.helpers.ts";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const SAFARI =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";
const CRAWLER = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

type Person = {
  readonly agent: string;
  readonly facts: { readonly language: string; readonly timeZone: string; screenWidth: number };
};

const PEOPLE = {
  ana: {
    agent: CHROME,
    facts: { language: "de-DE", timeZone: "Europe/Berlin", screenWidth: 1_536 },
  },
  ben: {
    agent: FIREFOX,
    facts: { language: "en-GB", timeZone: "Europe/London", screenWidth: 1_920 },
  },
  cleo: {
    agent: SAFARI,
    facts: { language: "fr-FR", timeZone: "Europe/Paris", screenWidth: 393 },
  },
} as const satisfies Record<string, Person>;

type Visit = {
  readonly daysAgo: number;
  readonly who: keyof typeof PEOPLE;
  readonly paths: readonly string[];
  readonly referrer?: string;
  readonly query?: string;
};

/** In their order; each at ten o'clock UTC, but that of today, which is now. A minute lies between two views of a visit. */
export const VISITS: readonly Visit[] = [
  { daysAgo: 33, who: "ana", paths: ["/", "/a"], referrer: "https://www.google.com/" },
  { daysAgo: 8, who: "ana", paths: ["/"] },
  { daysAgo: 8, who: "ben", paths: ["/a", "/b"], referrer: "https://news.ycombinator.com/" },
  { daysAgo: 1, who: "ben", paths: ["/"] },
  {
    daysAgo: 0,
    who: "cleo",
    paths: ["/a"],
    query: "?utm_source=newsletter&utm_medium=email&utm_campaign=november",
  },
];

const AT_TEN = 10 * HOUR_MS;
const FIRST_DAYS_AGO = 33;

export type KnownPast = {
  readonly url: string;
  /** The beginning of today, UTC, epoch ms. */
  readonly today: number;
  close(): Promise<void>;
};

/** Away from midnight: what is today stays it while a test runs. */
function nowOfTest(): number {
  const now = Date.now();
  const intoDay = now % DAY_MS;
  return intoDay > DAY_MS - HOUR_MS || intoDay < HOUR_MS ? now - intoDay + 2 * HOUR_MS : now;
}

/** The engine's clock goes on from there; an engine's time never runs backwards, so it begins in the past. */
export async function startKnownPast(): Promise<KnownPast> {
  const realNow = Date.now();
  const now = nowOfTest();
  const today = now - (now % DAY_MS);
  const moveTo = (at: number) => moveClock(at - realNow);
  moveTo(today - (FIRST_DAYS_AGO + 1) * DAY_MS);
  const dataFolder = newFolder("known-past");
  const engine = await startEngine({ dataFolder, port: 0, sitePort: 0, siteFolder: SITE_FOLDER });
  writeCliEnvFile({ ...engine, dataFolder });
  await pushFunctions({ ...engine, dataFolder });
  for (const visit of VISITS) {
    const at = visit.daysAgo === 0 ? now : today - visit.daysAgo * DAY_MS + AT_TEN;
    await makeVisit(engine.url, visit, (minutes) => moveTo(at + minutes * MINUTE_MS));
  }
  await viewAs(engine.url, CRAWLER, { path: "/", pageType: "home", sessionId: "crawler" });
  return {
    url: engine.url,
    today,
    close: async () => {
      await engine.close();
      moveClock(0);
      removeFolder(dataFolder);
    },
  };
}

async function makeVisit(
  url: string,
  { who, paths, referrer = "", query = "" }: Visit,
  moveTo: (minutes: number) => void,
): Promise<void> {
  const { agent, facts } = PEOPLE[who];
  for (const [place, path] of paths.entries()) {
    moveTo(place);
    const first = place === 0 ? { referrer, query } : {};
    await viewAs(url, agent, { path, pageType: "page", sessionId: who, ...facts, ...first });
  }
}

type View = { path: string; pageType: string; sessionId: string };

async function viewAs(url: string, agent: string, view: View): Promise<void> {
  const fetchAs: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("User-Agent", agent);
    return fetch(input, { ...init, headers });
  };
  const client = new ConvexHttpClient(url, {
    skipConvexDeploymentUrlCheck: true,
    logger: false,
    fetch: fetchAs,
  });
  await client.mutation(api.stats.recordPageView, view);
}
