/**
 * Owns: plausible visits for the pictures, made by real calls of the public functions at moved times.
 * Not: what is photographed. Names and numbers are invented.
 */
import { ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api.js";
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { MINUTE_MS } from "../../domain/minutes.ts";
import { doOnPage, sendPrograms } from "./doings.ts";

/** Node's own user agent is a bot's. From the most to the least used, as everything here. */
const AGENTS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
] as const;
const WIDTHS = [1_536, 1_920, 393, 1_280, 768] as const;
const WHERE_FROM = [
  ["America/New_York", "en-US"],
  ["Europe/Berlin", "de-DE"],
  ["Europe/London", "en-GB"],
  ["Asia/Kolkata", "en-IN"],
  ["Europe/Paris", "fr-FR"],
  ["America/Sao_Paulo", "pt-BR"],
  ["Asia/Tokyo", "ja-JP"],
] as const;
const REFERRERS = [
  "",
  "https://www.google.com/",
  "https://news.ycombinator.com/item?id=1",
  "https://github.com/",
  "https://www.bing.com/",
  "https://lobste.rs/",
  "https://chatgpt.com/",
  "https://mastodon.social/",
] as const;

/** Path, type and title, from the most to the least read. */
const PAGES: readonly (readonly [path: string, pageType: string, title: string])[] = [
  ["/", "home", "Front page"],
  ["/posts/how-footfall-counts", "post", "How Footfall counts"],
  ["/posts/install-footfall", "post", "Install Footfall"],
  ["/posts/what-footfall-stores", "post", "What Footfall stores, and what it does not"],
  ["/posts", "posts", "Posts"],
  ["/posts/one-process-one-file", "post", "One process, one file"],
  ["/about", "page", "About Footfall"],
  ["/stats", "stats", "Live stats"],
  ["/privacy", "page", "Privacy"],
  ["/notes/a-day-with-25-hours", "note", "A day with 25 hours"],
  ["/notes/größte-seite", "note", "Die größte Seite"],
  ["/notes/what-a-crawler-sees-when-nobody-tells-it-who-it-is", "note", "What a crawler sees"],
  ["/pricing", "missing", ""],
];

const DAYS = 24;
/** Moments a day at which somebody may come, more often by day than by night. */
const MOMENTS_A_DAY = 30;
const MOST_VIEWS_A_VISIT = 4;
const READERS = 300;

/** How far before now the visits begin, with an hour to spare. */
export const SEEDED_MS = DAYS * DAY_MS + 60 * MINUTE_MS;

/** Nearer to now visits follow close upon each other: nobody waits there, as time never runs backwards. */
const CROWDED_MS = 32 * MINUTE_MS;

const VISITS_IN_HALF_AN_HOUR = 150;
const ONLINE = 23;

/** Somebody who is online, and where. */
export type Guest = { readonly sessionId: string; readonly currentPath: string };

/** Keeps the guests online for as long again. */
export async function beatFor(guests: readonly Guest[], url: string): Promise<void> {
  const client = clientOf(url);
  for (const guest of guests) await client.mutation(api.stats.heartbeat, guest);
}

/** The same numbers at every run. */
function createDice(): () => number {
  let state = 20_261_130;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const realNow = () => performance.timeOrigin + performance.now();

/** Moves this process's clock, and with it the engine that runs in it, `byMs` from the real one. */
export function moveClock(byMs: number): void {
  Date.now = () => realNow() + byMs;
}

function clientOf(url: string, userAgent: string = AGENTS[0]): ConvexHttpClient {
  const fetchAsReader: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("User-Agent", userAgent);
    return fetch(input, { ...init, headers });
  };
  return new ConvexHttpClient(url, {
    skipConvexDeploymentUrlCheck: true,
    logger: false,
    fetch: fetchAsReader,
  });
}

/** Who reads: always with the same browser from the same place, and where their visits come from. */
function createReaders(url: string, dice: () => number) {
  const oneOf = <T>(all: readonly T[], lean: number): T => {
    const one = all[Math.floor(dice() ** lean * all.length)];
    if (one === undefined) throw new Error("The dice gave no number from 0 to below 1.");
    return one;
  };
  const clients = AGENTS.map((userAgent) => clientOf(url, userAgent));
  const known = new Map<string, { client: ConvexHttpClient; facts: Record<string, unknown> }>();
  const readerOf = (sessionId: string) => {
    const [timeZone, language] = oneOf(WHERE_FROM, 1.8);
    const client = oneOf(clients, 1.6);
    const screenWidth = oneOf(WIDTHS, 1.4);
    const reader = known.get(sessionId) ?? { client, facts: { timeZone, language, screenWidth } };
    known.set(sessionId, reader);
    return reader;
  };
  let views = 0;
  const wait = (byMs: number) => {
    const at = Date.now() + byMs;
    if (at < realNow() - CROWDED_MS) moveClock(at - realNow());
  };
  return async (sessionId: string, isFirst: boolean): Promise<Guest> => {
    const [path, pageType, title] = oneOf(PAGES, 2.2);
    const { client, facts } = readerOf(sessionId);
    const referrer = isFirst ? oneOf(REFERRERS, 1.7) : "";
    const named = title === "" ? {} : { title };
    const eventId = `view-${(views += 1)}`;
    const view = { path, pageType, sessionId, referrer, eventId, ...facts, ...named };
    const { outcome } = await client.mutation(api.stats.recordPageView, view);
    if (outcome === "counted") await doOnPage(client, { sessionId, path, eventId }, { dice, wait });
    return { sessionId, currentPath: path };
  };
}

/** How likely somebody comes at `at`: few by night, fewer at weekends. */
function attendance(at: number): number {
  const date = new Date(at);
  const byDay = Math.max(0.06, Math.sin(((date.getUTCHours() - 5) / 18) * Math.PI));
  return byDay * (date.getUTCDay() % 6 === 0 ? 0.45 : 1);
}

/**
 * Some weeks of a small site, a livelier half hour, and people who are here now, whom it gives back. The engine must
 * have begun SEEDED_MS ago. Leaves the clock as it should be.
 */
export async function seedVisits(url: string): Promise<readonly Guest[]> {
  const dice = createDice();
  const view = createReaders(url, dice);
  const someVisitor = () => `reader-${Math.floor(dice() * READERS)}`;

  for (let moment = DAYS * MOMENTS_A_DAY; moment > 0; moment -= 1) {
    const agoMs = (moment / MOMENTS_A_DAY) * DAY_MS + 35 * MINUTE_MS;
    moveClock(-agoMs);
    if (dice() > attendance(Date.now())) continue;
    const sessionId = someVisitor();
    const views = Math.ceil(dice() ** 1.5 * MOST_VIEWS_A_VISIT);
    for (let place = 0; place < views; place += 1) {
      moveClock(-agoMs + place * 2 * MINUTE_MS);
      await view(sessionId, place === 0);
    }
  }
  for (let visit = VISITS_IN_HALF_AN_HOUR; visit > 0; visit -= 1) {
    const bunched = visit + 2 * Math.sin(visit / 2.5);
    moveClock(-(bunched / VISITS_IN_HALF_AN_HOUR) * 28 * MINUTE_MS - MINUTE_MS);
    await view(someVisitor(), true);
  }
  const guests: Guest[] = [];
  for (let visitor = ONLINE; visitor > 0; visitor -= 1) {
    moveClock((-visitor / ONLINE) * MINUTE_MS);
    guests.push(await view(`guest-${visitor}`, true));
  }
  moveClock(0);
  await sendPrograms((userAgent) => clientOf(url, userAgent));
  return guests;
}
