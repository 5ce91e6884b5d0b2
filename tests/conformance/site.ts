/** Owns: the words in which the behaviours are told: visitors who view, beat and leave, and a reader. Not: expectations. */
import { api, internal } from "../../convex/_generated/api.js";
import type { CreateRuntime, Runtime, Sender } from "./runtime.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Noon of a day without a clock change, in UTC. */
export const NOON = Date.parse("2026-11-30T12:00:00Z");

/** A user agent that says so. */
export const BOT = "Googlebot/2.1 (+http://www.google.com/bot.html)";

export type Hit = {
  path: string;
  sessionId: string;
  eventId?: string;
  title?: string;
  pageType?: string;
  site?: string;
  referrer?: string;
  query?: string;
  host?: string;
  screenWidth?: number;
  language?: string;
  timeZone?: string;
  isPrivate?: boolean;
};

export type SentEvent = {
  path: string;
  eventId: string;
  properties: Record<string, string | number | boolean>;
  isInteractive: boolean;
  site: string;
  host: string;
  userAgent: string;
};

export function siteOn(runtime: Runtime) {
  return {
    runtime,
    view: (path: string, sessionId: string, more: Partial<Hit> & Sender = {}) => {
      const { userAgent, ip, ...hit } = more;
      const request = {
        ...(userAgent === undefined ? {} : { userAgent }),
        ...(ip === undefined ? {} : { ip }),
      };
      return runtime.mutation(
        api.stats.recordPageView,
        { pageType: "page", path, sessionId, ...hit },
        request,
      );
    },
    event: (name: string, sessionId: string, more: Partial<SentEvent> = {}) => {
      const { userAgent, path = "/a", ...event } = more;
      const request = userAgent === undefined ? undefined : { userAgent };
      return runtime.mutation(api.stats.recordEvent, { name, sessionId, path, ...event }, request);
    },
    beat: (currentPath: string, sessionId: string, sender: Sender = {}) =>
      runtime.mutation(api.stats.heartbeat, { currentPath, sessionId }, sender),
    leave: (
      sessionId: string,
      more: { path?: string; eventId?: string } = {},
      sender: Sender = {},
    ) => runtime.mutation(api.stats.leave, { sessionId, ...more }, sender),
    watch: () => runtime.mutation(api.stats.watch, { watcherId: "reader-1" }),
    stats: () => runtime.query(api.stats.getStats, {}),
    settled: () => runtime.query(api.stats.getStats, { freshness: "settled" }),
    sweep: () => runtime.mutation(internal.stats.cleanupStaleSessions, {}),
    wakeOverdue: () => runtime.mutation(internal.worker.wakeOverdue, {}),
    /** Runs the worker until nothing is left. */
    settle: async () => {
      for (let run = 0; run < 50; run += 1) {
        await runtime.mutation(internal.worker.run, { site: "default" });
        const flags = await runtime.rows("wake");
        if (flags.every((flag) => flag.dueAt === undefined)) return;
      }
      throw new Error("The worker is still due after 50 runs.");
    },
    /** What a reader calls who does not watch, before a report. */
    settleReports: async () => {
      for (let call = 0; call < 50; call += 1) {
        const { isSettled } = await runtime.mutation(api.stats.settle, {});
        if (isSettled) return;
      }
      throw new Error("The reports are not settled after 50 calls.");
    },
    /** Time passes while somebody has /stats open. */
    watchFor: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 30_000) {
        await runtime.mutation(api.stats.watch, { watcherId: "reader-1" });
        await runtime.advance(Math.min(30_000, ms - passed));
      }
    },
  };
}

export type Site = ReturnType<typeof siteOn>;

/** Runs `story` on a fresh deployment. */
export async function tell(
  create: CreateRuntime,
  story: (site: Site) => Promise<void>,
  startsAt = NOON,
): Promise<void> {
  const runtime = await create(startsAt);
  try {
    await story(siteOn(runtime));
  } finally {
    await runtime.close();
  }
}
