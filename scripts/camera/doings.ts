/**
 * Owns: what plausible visitors do on a page besides viewing it: read, scroll, press something; and programs that come
 * as well. For the pictures; names and numbers are invented.
 * Not: the visits (visits.ts).
 */
import type { ConvexHttpClient } from "convex/browser";
import { api } from "../../convex/_generated/api.js";

type Seen = { readonly sessionId: string; readonly path: string; readonly eventId: string };

/** How often a view has one, and what it brings. */
const EVENTS: readonly (readonly [
  name: string,
  often: number,
  key: string,
  values: readonly string[],
])[] = [
  ["copied install command", 0.14, "shell", ["npm", "curl", "docker"]],
  ["Outbound link", 0.08, "url", ["https://github.com/", "https://docs.convex.dev/"]],
  ["searched the docs", 0.05, "words", ["visitors", "cookies", "reverse proxy"]],
  ["signup", 0.02, "plan", ["free", "pro"]],
];

/** No longer than until the visit's next view. */
const LONGEST_READ_MS = 110_000;

export async function doOnPage(
  client: ConvexHttpClient,
  { sessionId, path, eventId }: Seen,
  { dice, wait }: { dice: () => number; wait: (byMs: number) => void },
): Promise<void> {
  const read = dice() ** 2;
  wait(read * LONGEST_READ_MS);
  const scrollPercent = Math.round(100 * Math.min(1, read + 0.2));
  const engagement = { sessionId, path, viewId: eventId, engagedMs: read * LONGEST_READ_MS };
  await client.mutation(api.stats.recordEngagement, { ...engagement, scrollPercent });
  for (const [name, often, key, values] of EVENTS) {
    if (dice() > often) continue;
    const value = values[Math.floor(dice() ** 2 * values.length)] ?? "";
    const properties = { [key]: value };
    await client.mutation(api.stats.recordEvent, { sessionId, path, name, properties });
  }
}

const PROGRAMS: readonly (readonly [userAgent: string, hits: number])[] = [
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", 41],
  ["Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2)", 27],
  ["facebookexternalhit/1.1", 9],
  ["curl/8.5.0", 6],
  ["Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/142.0.0.0 Safari/537.36", 3],
];

export async function sendPrograms(
  clientOf: (userAgent: string) => ConvexHttpClient,
): Promise<void> {
  for (const [userAgent, hits] of PROGRAMS) {
    const client = clientOf(userAgent);
    for (let hit = 0; hit < hits; hit += 1) {
      const view = { path: "/", pageType: "home", sessionId: `program-${hit}` };
      await client.mutation(api.stats.recordPageView, view);
    }
  }
}
