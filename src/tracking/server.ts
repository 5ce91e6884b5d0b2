/**
 * Owns: counting a view or an event from a server, where no browser speaks for its visitor: an API, a feed, a page
 * without scripts, an order that is paid.
 * Not: when that is one. It touches nothing of a browser, and runs wherever `fetch` does.
 */
import { newId } from "./ids.ts";

export type ServerTracking = {
  /** Where the deployment's HTTP routes answer, e.g. "https://stats.example". */
  url: string;
  /** A key of the site: `npx convex run keys:create '{"site": "blog"}'`. It belongs to servers only. */
  key: string;
  fetch?: typeof fetch;
};

/** What a server knows of whom the hit is. */
type ServerVisitor = {
  userAgent?: string;
  /** Two letters, ISO 3166. */
  country?: string;
  /** Of the network; where the site tells visitors apart by day, they are nobody without. It is stored nowhere. */
  address?: string;
  /** The visitor asks not to be tracked: then the hit is nobody's. */
  private?: boolean;
};

/** What a server knows of a view. What it leaves out is unknown; its own user agent is nobody's. */
export type ServerView = {
  /** Stands for the visitor: printable ASCII, always the same for the same one, and not to be guessed. */
  sessionId: string;
  path: string;
  /** A view that is sent again under the same id counts once; made up when absent. */
  eventId?: string;
  pageType?: string;
  title?: string;
  referrer?: string;
  query?: string;
  host?: string;
  language?: string;
  timeZone?: string;
} & ServerVisitor;

/** What a server knows of something that happened. */
export type ServerEvent = {
  /** As of a view. An event counts into the visit that this visitor has open, if there is one. */
  sessionId: string;
  path: string;
  /** What happened: "signup". */
  name: string;
  properties?: Record<string, string | number | boolean>;
  /** Whether the visitor did it. Then it ends a bounce and extends the visit; true when absent. */
  interactive?: boolean;
  /** An event that is sent again under the same id counts once; made up when absent. */
  eventId?: string;
  host?: string;
} & ServerVisitor;

/** "counted", "duplicate", or "filtered; " and why. */
export type ServerOutcome = string;

/** Throws what the server says when it refuses, and what `fetch` throws when there is no server. */
export function createServerTracking({ url, key, fetch = globalThis.fetch }: ServerTracking) {
  const address = new URL("/v1/events", url);

  async function send(kind: "view" | "event", hit: object): Promise<ServerOutcome> {
    const answer = await fetch(address, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ kind, eventId: newId(), ...hit }),
    });
    if (answer.ok) return answer.headers.get("X-Footfall") ?? "";
    const sentence = (await answer.text()).trim();
    throw new Error(`Footfall did not take the ${kind}: ${answer.status}, ${sentence}`);
  }

  return {
    track: (view: ServerView) => send("view", view),
    event: (event: ServerEvent) => send("event", event),
  };
}
