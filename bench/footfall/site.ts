/**
 * Owns: a site that runs Footfall under convex-test, with N views in its tables, and the calls that it gets.
 * Not: how cost is measured (support/meter.ts), or which figures there are (figures.ts).
 */
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { MINUTE_MS } from "../../domain/minutes.ts";
import { fileURLToPath } from "node:url";
import { api, internal } from "../../convex/_generated/api.js";
import schema from "../../convex/schema.ts";
import { Deployment, aggregates, modulesIn, runIn } from "../support/deployment.ts";
import type { Bill } from "../support/bill.ts";
import { STARTS_AT } from "../support/starts-at.ts";
import type { Hit } from "../support/traffic.ts";

const CONVEX_FOLDER = fileURLToPath(new URL("../../convex", import.meta.url));
const AGGREGATES = ["totalPageViews", "pageViewsByPath", "uniqueVisitors"] as const;

export type Billed = { bill: Bill; outcome: "counted" | "duplicate" | "filtered" };

export class FootfallSite {
  readonly deployment: Deployment;

  private constructor(deployment: Deployment) {
    this.deployment = deployment;
  }

  static async open(startsAt = STARTS_AT): Promise<FootfallSite> {
    const components = await aggregates(AGGREGATES);
    const modules = modulesIn(CONVEX_FOLDER, ".ts");
    const site = new FootfallSite(new Deployment({ schema, modules, components }, startsAt));
    site.#startCrons();
    return site;
  }

  /** The crons of convex/crons.ts, which convex-test does not run. */
  #startCrons(): void {
    const { t } = this.deployment;
    const { stats, worker, past } = internal;
    this.#every(5, () => t.mutation(stats.cleanupStaleSessions, {}));
    this.#every(5, () => t.mutation(worker.wakeOverdue, {}));
    this.#every(15, () => t.mutation(past.ensureChains, {}));
    this.#daily(3 * 60 + 10, () => t.mutation(worker.pruneFilteredHits, {}));
    this.#daily(3 * 60 + 20, () => t.mutation(past.startRetention, {}));
    this.#daily(3 * 60 + 40, () => t.mutation(past.verifyYesterday, {}));
  }

  #every(minutes: number, work: () => Promise<unknown>): void {
    this.deployment.every({ everyMs: minutes * MINUTE_MS, firstInMs: minutes * MINUTE_MS }, work);
  }

  #daily(minuteUtc: number, work: () => Promise<unknown>): void {
    const sinceMs = (this.deployment.clock.now - minuteUtc * MINUTE_MS) % DAY_MS;
    this.deployment.every({ everyMs: DAY_MS, firstInMs: DAY_MS - sinceMs }, work);
  }

  /** A view at its time, or now if that is later; what is due before runs before. */
  async view({ at, userAgent, ...args }: Hit): Promise<Billed> {
    const { clock, t } = this.deployment;
    await this.deployment.advanceTo(Math.max(at, clock.now));
    let outcome: Billed["outcome"] | undefined;
    const bill = await this.deployment.call(async () => {
      const browser = t.withRequestMetadata({ userAgent });
      ({ outcome } = await browser.mutation(api.stats.recordPageView, args));
    });
    if (outcome === undefined) throw new Error("A view has no outcome.");
    return { bill, outcome };
  }

  async heartbeat(sessionId: string, currentPath: string): Promise<Bill> {
    const { t } = this.deployment;
    return await this.deployment.call(() =>
      t.mutation(api.stats.heartbeat, { sessionId, currentPath }),
    );
  }

  async watch(): Promise<Bill> {
    const { t } = this.deployment;
    return await this.deployment.call(() => t.mutation(api.stats.watch, { watcherId: "reader" }));
  }

  /** As an open /stats does beside each watch beat. */
  async askWorker(): Promise<Bill> {
    const { t } = this.deployment;
    return await this.deployment.call(() => t.query(api.stats.getWorker, {}));
  }

  async settledStats(): Promise<Bill> {
    const { t } = this.deployment;
    return await this.deployment.call(() => t.query(api.stats.getStats, { freshness: "settled" }));
  }

  /** Lets the worker finish: nothing is due any more, everything is counted and rolled up. */
  async settle(): Promise<void> {
    const { clock } = this.deployment;
    await this.deployment.advanceTo(clock.now + 12 * MINUTE_MS);
  }

  /** Rows as if these views had been counted long ago, by as many visitors as it takes. Nothing is billed. */
  async preload(views: number): Promise<void> {
    const visitors = Math.ceil(views / 2);
    const site = "default";
    await runIn(this.deployment, "", async (db) => {
      for (let view = 0; view < views; view += 1) {
        const sessionId = idOf(view % visitors);
        const timestamp = STARTS_AT - (views - view) * MINUTE_MS - 3 * 3_600_000;
        const path = `/posts/words-of-a-title-${String(view % 199).padStart(3, "0")}`;
        const isFirst = view < visitors;
        await db.insert("pageViews", {
          ...{ site, path, pageType: "post", sessionId, timestamp, visitSequence: 1 },
          commitTs: BigInt(view + 1),
          ...(isFirst ? { createdVisitor: true } : {}),
        });
        if (!isFirst) continue;
        const seen = { firstSeenAt: timestamp, lastSeenAt: timestamp, lastPath: path };
        await db.insert("visitors", { site, sessionId, ...seen, recentEventIds: [] });
      }
    });
  }

  /** The sweep and the worker do now what they would do in the minutes to come for what has happened so far. */
  async closeBooks(): Promise<void> {
    const { t } = this.deployment;
    await this.deployment.call(() => t.mutation(internal.stats.cleanupStaleSessions, {}));
    // A full sweep schedules the next.
    await this.deployment.advanceTo(this.deployment.clock.now);
    for (let isOpen = true; isOpen;) {
      await this.deployment.call(async () => {
        isOpen = !(await t.mutation(api.stats.settle, {})).isSettled;
      });
    }
  }

  close(): void {
    this.deployment.close();
  }
}

function idOf(visitor: number): string {
  return `00000000-0000-4000-8000-${String(visitor).padStart(12, "0")}`;
}
