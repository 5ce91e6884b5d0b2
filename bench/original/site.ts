/**
 * Owns: a site that runs the original design, with N views in its tables, and what its calls cost.
 * Not: how cost is measured (support/meter.ts).
 */
import { makeFunctionReference } from "convex/server";
import { Deployment, aggregates, runIn } from "../support/deployment.ts";
import type { Bill } from "../support/bill.ts";
import { BenchRandom, Zipf } from "../support/random.ts";
import { STARTS_AT } from "../support/starts-at.ts";
import { Forest } from "./forest.ts";
import schema from "./schema.ts";

const recordPageView = makeFunctionReference<"mutation">("stats:recordPageView");
const heartbeat = makeFunctionReference<"mutation">("stats:heartbeat");
const getStats = makeFunctionReference<"query">("stats:getStats");

const MOUNTED_AGGREGATES = ["totalPageViews", "pageViewsByPath", "uniqueVisitors"] as const;
const modules = {
  "./_generated/api.js": () => Promise.resolve({}),
  "./stats.ts": () => import("./functions.ts"),
};

/** Views whose mean is a figure. */
export const MEASURED_VIEWS = 36;

/**
 * The design says what the original costs, not under which traffic. Under this one every figure comes out within 10 %;
 * paths and posts without a body are the site's, the share of views that bring a new visitor is high.
 */
const TRAFFIC = { paths: 200, zipfExponent: 0.9, newVisitorRatio: 0.48, msBetweenViews: 5_000 };

type View = { path: string; pageType: string; sessionId: string; timestamp: number };

export class OriginalSite {
  readonly deployment: Deployment;
  readonly #random = new BenchRandom(7);
  readonly #zipf = new Zipf(TRAFFIC.paths, TRAFFIC.zipfExponent);
  readonly #sessions: string[] = [];
  readonly #lastOf = new Map<string, number>();

  private constructor(deployment: Deployment) {
    this.deployment = deployment;
  }

  static async open(views: number): Promise<OriginalSite> {
    const components = await aggregates(MOUNTED_AGGREGATES);
    const deployment = new Deployment({ schema, modules, components }, STARTS_AT);
    const site = new OriginalSite(deployment);
    await site.#preload(views);
    return site;
  }

  /** The bill of one counted view. */
  async view(): Promise<Bill> {
    const { timestamp, ...args } = this.#nextView();
    this.deployment.clock.now = timestamp;
    return await this.deployment.call(() => this.deployment.t.mutation(recordPageView, args));
  }

  async heartbeat(): Promise<Bill> {
    const args = { sessionId: this.#random.pick(this.#sessions.slice(-20)), currentPath: "/" };
    return await this.deployment.call(() => this.deployment.t.mutation(heartbeat, args));
  }

  async stats(): Promise<Bill> {
    return await this.deployment.call(() => this.deployment.t.query(getStats, {}));
  }

  /** A view that is no duplicate. */
  #nextView(): View {
    this.deployment.clock.now += TRAFFIC.msBetweenViews;
    const timestamp = this.deployment.clock.now;
    for (;;) {
      const isNew = this.#sessions.length === 0 || this.#random.next() < TRAFFIC.newVisitorRatio;
      const sessionId = isNew ? this.#random.uuid() : this.#random.pick(this.#sessions);
      const place = String(this.#zipf.pick(this.#random)).padStart(3, "0");
      const path = `/posts/words-as-they-stand-in-an-address-${place}`;
      const key = JSON.stringify([sessionId, path]);
      if (timestamp - (this.#lastOf.get(key) ?? 0) < 30 * 60_000) continue;
      this.#lastOf.set(key, timestamp);
      if (isNew) this.#sessions.push(sessionId);
      return { path, pageType: "blog", sessionId, timestamp };
    }
  }

  async #preload(count: number): Promise<void> {
    const views = Array.from({ length: count }, () => this.#nextView());
    const ids = await runIn(this.deployment, "", async (db) => {
      const inserted: string[] = [];
      for (const view of views) inserted.push(await db.insert("pageViews", view));
      return inserted;
    });
    const forests = {
      totalPageViews: await Forest.plant(),
      pageViewsByPath: await Forest.plant(),
      uniqueVisitors: await Forest.plant(),
    };
    const known = new Set<string>();
    for (const [place, { path, sessionId, timestamp }] of views.entries()) {
      const id = ids[place] ?? "";
      await forests.totalPageViews.insert({ key: null, id });
      await forests.pageViewsByPath.insert({ key: timestamp, id, namespace: path });
      if (!known.has(sessionId)) await forests.uniqueVisitors.insert({ key: sessionId, id });
      known.add(sessionId);
    }
    for (const name of MOUNTED_AGGREGATES) {
      await runIn(this.deployment, name, (db) => forests[name].copyTo(db));
    }
  }
}
