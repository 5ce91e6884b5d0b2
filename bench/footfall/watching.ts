/**
 * Owns: what an open /stats costs: a page whose subscriptions run again whenever a call wrote something that they read.
 * Not: the page (src/stats).
 */
import { api } from "../../convex/_generated/api.js";
import { WATCH_INTERVAL_MS } from "../../domain/intervals.ts";
import { record } from "../../tests/conformance/recorder.ts";
import type { RecordedFootprint } from "../../tests/conformance/recorder.ts";
import type { Bill } from "../support/bill.ts";
import type { BusySite } from "./busy.ts";
import type { FootfallSite } from "./site.ts";

type Panel = { name: string; run: () => Promise<unknown>; seen: RecordedFootprint };

export type Watched = {
  /** Views that were counted meanwhile. */
  views: number;
  /** Everything but the views themselves: worker, watch beats, sweeps. */
  background: Bill[];
  /** Of each panel. */
  reruns: Map<string, Bill[]>;
};

/** A busy site's traffic while nobody (no panel) or somebody watches. At the end everything is counted and swept, so that one is comparable with the other. */
export async function watchSite(
  { site, hits, endsAt }: BusySite,
  panels: readonly string[],
): Promise<Watched> {
  const watcher = new Watcher(site);
  if (panels.length > 0) await watcher.open(panels);
  let views = 0;
  for (const hit of hits) {
    await watcher.passTo(hit.at);
    const { outcome } = await watcher.note(() => site.view(hit), { isView: true });
    if (outcome === "counted") views += 1;
  }
  await watcher.passTo(endsAt);
  await watcher.note(() => site.closeBooks(), { isView: false });
  return { views, background: watcher.background, reruns: watcher.reruns };
}

class Watcher {
  readonly background: Bill[] = [];
  readonly reruns = new Map<string, Bill[]>();
  readonly #site: FootfallSite;
  readonly #panels: Panel[] = [];
  #beatAt = Infinity;

  constructor(site: FootfallSite) {
    this.#site = site;
  }

  async open(names: readonly string[]): Promise<void> {
    for (const name of names) {
      const run = panelNamed(this.#site, name);
      this.reruns.set(name, []);
      this.#panels.push({ name, run, seen: await record(run) });
    }
    this.#site.deployment.takeBills();
    await this.#beat();
  }

  /** Time passes, one job or watch beat after the other. */
  async passTo(at: number): Promise<void> {
    const { clock } = this.#site.deployment;
    for (;;) {
      const next = Math.min(clock.nextAt() ?? Infinity, this.#beatAt);
      if (next > at) break;
      if (next === this.#beatAt) await this.#beat();
      else await this.note(() => this.#site.deployment.advanceTo(next), { isView: false });
    }
    await this.#site.deployment.advanceTo(at);
  }

  async #beat(): Promise<void> {
    const { clock } = this.#site.deployment;
    this.#beatAt = clock.now + WATCH_INTERVAL_MS;
    await this.note(() => this.#site.watch(), { isView: false });
    await this.note(() => this.#site.askWorker(), { isView: false });
  }

  /** Runs the calls in `work`, then every panel that read what they wrote. */
  async note<T>(work: () => Promise<T>, { isView }: { isView: boolean }): Promise<T> {
    let result: T | undefined;
    const footprint = await record(async () => {
      result = await work();
    });
    const bills = this.#site.deployment.takeBills();
    if (!isView) this.background.push(...bills);
    for (const panel of this.#panels) {
      if (panel.seen.overlap(footprint).conflicts.length === 0) continue;
      panel.seen = await record(panel.run);
      this.reruns.get(panel.name)?.push(...this.#site.deployment.takeBills());
    }
    return result as T;
  }
}

export const HEADLINE = "headline";
/** What an open /stats subscribes to. */
export const PANELS = [HEADLINE, "panels", "health", "movements", "online by time"] as const;
/** What a page of reports on today would show. */
export const REPORTS = ["summary", "timeseries", "pages", "sources", "countries"] as const;

function panelNamed(site: FootfallSite, name: string): () => Promise<unknown> {
  const { deployment } = site;
  const { t } = deployment;
  const day = new Date(deployment.clock.now).toISOString().slice(0, 10);
  const range = { firstDay: day, lastDay: day };
  const breakdown = (dimension: "path" | "source" | "country") => () =>
    deployment.call(() => t.query(api.reports.breakdown, { range, dimension }));
  switch (name) {
    case HEADLINE:
      return () => deployment.call(() => t.query(api.stats.getHeadline, {}));
    case "panels":
      return () => deployment.call(() => t.query(api.stats.getPanels, {}));
    case "health":
      return () => deployment.call(() => t.query(api.stats.getHealth, {}));
    case "movements":
      return () => deployment.call(() => t.query(api.now.movements, {}));
    case "online by time":
      return () => deployment.call(() => t.query(api.now.onlineByTime, { day }));
    case "summary":
      return () => deployment.call(() => t.query(api.reports.summary, { range }));
    case "timeseries":
      return () => deployment.call(() => t.query(api.reports.timeseries, { range }));
    case "pages":
      return breakdown("path");
    case "sources":
      return breakdown("source");
    case "countries":
      return breakdown("country");
    default:
      throw new Error(
        `There is no panel "${name}". There are: ${[...PANELS, ...REPORTS].join(", ")}.`,
      );
  }
}
