/**
 * Owns: plausible visits for the pictures, made by real calls of the public functions at moved times.
 * Not: what is photographed. Names and numbers are invented.
 */
import { ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api.js";
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { MINUTE_MS } from "../../domain/minutes.ts";

/** Node's own user agent is a bot's. */
const READER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

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
const VISITS_A_DAY = 11;

/** How far before now the visits begin, with an hour to spare. */
export const SEEDED_MS = DAYS * DAY_MS + 60 * MINUTE_MS;

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

/** Moves this process's clock, and with it the engine that runs in it, `byMs` from the real one. */
export function moveClock(byMs: number): void {
  Date.now = () => performance.timeOrigin + performance.now() + byMs;
}

function clientOf(url: string): ConvexHttpClient {
  const fetchAsReader: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("User-Agent", READER);
    return fetch(input, { ...init, headers });
  };
  return new ConvexHttpClient(url, {
    skipConvexDeploymentUrlCheck: true,
    logger: false,
    fetch: fetchAsReader,
  });
}

/**
 * Some weeks of a small site, a livelier half hour, and people who are here now, whom it gives back. The engine must
 * have begun SEEDED_MS ago. Leaves the clock as it should be.
 */
export async function seedVisits(url: string): Promise<readonly Guest[]> {
  const client = clientOf(url);
  const dice = createDice();
  const view = async (sessionId: string) => {
    const [path, pageType, title] = PAGES[Math.floor(dice() ** 2.2 * PAGES.length)] ?? PAGES[0]!;
    const named = title === "" ? {} : { title };
    await client.mutation(api.stats.recordPageView, { path, pageType, sessionId, ...named });
    return { sessionId, currentPath: path };
  };
  const someVisitor = () => `reader-${Math.floor(dice() * 300)}`;

  for (let visit = DAYS * VISITS_A_DAY; visit > 0; visit -= 1) {
    moveClock(-(visit / VISITS_A_DAY) * DAY_MS - 35 * MINUTE_MS);
    await view(someVisitor());
  }
  for (let visit = VISITS_IN_HALF_AN_HOUR; visit > 0; visit -= 1) {
    const bunched = visit + 2 * Math.sin(visit / 2.5);
    moveClock(-(bunched / VISITS_IN_HALF_AN_HOUR) * 28 * MINUTE_MS - MINUTE_MS);
    await view(someVisitor());
  }
  const guests: Guest[] = [];
  for (let visitor = ONLINE; visitor > 0; visitor -= 1) {
    moveClock((-visitor / ONLINE) * MINUTE_MS);
    guests.push(await view(`guest-${visitor}`));
  }
  moveClock(0);
  return guests;
}
