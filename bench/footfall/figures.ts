/**
 * Owns: what Footfall's calls cost, measured: a view, a heartbeat, getStats, a site at a rate of views, an open /stats.
 * Not: which of it is promised (cost-rows.ts).
 */
import { bytesOf, sumOf, totalOf } from "../support/bill.ts";
import type { Amounts, Bill } from "../support/bill.ts";
import { Traffic } from "../support/traffic.ts";
import type { Hit } from "../support/traffic.ts";
import { openBusySite } from "./busy.ts";
import { FootfallSite } from "./site.ts";
import type { Billed } from "./site.ts";
import { HEADLINE, PANELS, REPORTS, watchSite } from "./watching.ts";
import type { Watched } from "./watching.ts";

/** Views that fill a new site before anything is measured. */
const WARMING_VIEWS = 20;

export type CallFigures = { documents: number; ranges: number; kilobytes: number };

export type TableFigures = {
  /** The mean of views that find the worker due. */
  view: CallFigures;
  /** The most that any of them, and the one that wakes the worker, writes and reads. */
  viewAtMost: CallFigures;
  waking: CallFigures;
  heartbeat: CallFigures;
  stats: CallFigures;
};

/** Each call, with `views` views in the tables. */
export async function measureCalls(views: number, measured = 30): Promise<TableFigures> {
  const site = await FootfallSite.open();
  try {
    const next = await warm(site, 0.2);
    await site.preload(views);
    const waking = await wakingView(site, next);
    const bills: Bill[] = [];
    while (bills.length < measured) bills.push((await countedView(site, next)).bill);
    const { sessionId, path } = next();
    const heartbeats: Bill[] = [];
    for (let beat = 0; beat < 3; beat += 1) {
      site.deployment.clock.now += 30_000;
      heartbeats.push(await site.heartbeat(sessionId, path));
    }
    await site.settle();
    const stats = await site.settledStats();
    const due = bills.filter((bill) => totalOf(bill, isWakeFlag).documentsWritten === 0);
    return {
      view: mean(due),
      viewAtMost: most(due),
      waking: mean([waking]),
      heartbeat: mean(heartbeats.slice(1)),
      stats: mean([stats]),
    };
  } finally {
    site.close();
  }
}

/** A view that finds no run due. */
async function wakingView(site: FootfallSite, next: () => Hit): Promise<Bill> {
  for (let turn = 0; turn < 10; turn += 1) {
    await site.settle();
    const { bill } = await countedView(site, next);
    if (totalOf(bill, isWakeFlag).documentsWritten > 0) return bill;
  }
  throw new Error("No view wakes the worker.");
}

const isWakeFlag = (table: string): boolean => table === "/wake" || table === "/workers";

export type RateFigures = {
  /** Of everything: views, worker, sweeps, crons, sealing. */
  kilobytesPerView: number;
  /** The same; hits that are no view (bots, reloads) apart. */
  callsPerView: number;
  /** Hits that were no view, for each view. */
  otherHits: number;
};

/** A new site at a steady rate while nobody watches, for long enough that its nights count. The last batch is waited for. */
export async function measureDay(viewsPerSecond: number, views: number): Promise<RateFigures> {
  const site = await FootfallSite.open();
  try {
    const next = await warm(site, viewsPerSecond);
    let counted = 0;
    let others = 0;
    while (counted < views) {
      if ((await site.view(next())).outcome === "counted") counted += 1;
      else others += 1;
    }
    await site.settle();
    return rateFigures(site.deployment.takeBills(), { counted, others });
  } finally {
    site.close();
  }
}

/** The last minutes of a busy hour while nobody watches. A whole number of five minutes holds as many sweeps as it should. */
export async function measureBusy(viewsPerSecond: number, ms: number): Promise<RateFigures> {
  const { site, hits, endsAt } = await openBusySite(viewsPerSecond, ms);
  try {
    let counted = 0;
    for (const hit of hits) if ((await site.view(hit)).outcome === "counted") counted += 1;
    await site.deployment.advanceTo(endsAt);
    await site.closeBooks();
    const others = hits.length - counted;
    return rateFigures(site.deployment.takeBills(), { counted, others });
  } finally {
    site.close();
  }
}

function rateFigures(
  bills: readonly Bill[],
  { counted, others }: { counted: number; others: number },
): RateFigures {
  return {
    kilobytesPerView: bytesOf(sumOf(bills)) / counted / 1_000,
    callsPerView: (bills.length - others) / counted,
    otherHits: others / counted,
  };
}

export type WatchFigures = {
  /** Worker, watch beats, sweeps and re-runs, all of it. */
  totalMegabytesPerHour: number;
  /** What the same minutes cost less while nobody watched. */
  megabytesPerHour: number;
  callsPerHour: number;
  /** Of the headline. */
  rerunsPerSecond: number;
  /** What a page of reports on today would add. */
  reports: { megabytesPerHour: number; callsPerHour: number };
};

/** The same minutes of a busy hour, once with an open /stats and once without. */
export async function measureWatching(viewsPerSecond: number, ms: number): Promise<WatchFigures> {
  const alone = await watchFor(viewsPerSecond, ms, []);
  const { background, reruns } = await watchFor(viewsPerSecond, ms, [...PANELS, ...REPORTS]);
  const page = PANELS.flatMap((name) => reruns.get(name) ?? []);
  const reports = REPORTS.flatMap((name) => reruns.get(name) ?? []);
  const perHour = 3_600_000 / ms;
  const megabytes = (bills: readonly Bill[]) => (bytesOf(sumOf(bills)) / 1e6) * perHour;
  const totalMegabytesPerHour = megabytes([...background, ...page]);
  return {
    totalMegabytesPerHour,
    megabytesPerHour: totalMegabytesPerHour - megabytes(alone.background),
    callsPerHour: (background.length + page.length) * perHour,
    // The first is the opening's.
    rerunsPerSecond: ((reruns.get(HEADLINE)?.length ?? 0) - 1) / (ms / 1_000),
    reports: { megabytesPerHour: megabytes(reports), callsPerHour: reports.length * perHour },
  };
}

async function watchFor(
  viewsPerSecond: number,
  ms: number,
  panels: readonly string[],
): Promise<Watched> {
  const busy = await openBusySite(viewsPerSecond, ms);
  try {
    return await watchSite(busy, panels);
  } finally {
    busy.site.close();
  }
}

/** A site that has had a few views, all settled. Returns what comes next, one hit after the other. */
async function warm(site: FootfallSite, viewsPerSecond: number): Promise<() => Hit> {
  const { clock } = site.deployment;
  const hits = new Traffic({ seed: 3, startsAt: clock.now, viewsPerSecond, hasDays: false }).hits();
  for (let view = 0; view < WARMING_VIEWS; view += 1) await site.view(hits.next().value);
  const before = clock.now;
  await site.settle();
  const shiftMs = clock.now - before;
  site.deployment.takeBills();
  return () => {
    const hit = hits.next().value;
    return { ...hit, at: hit.at + shiftMs };
  };
}

async function countedView(site: FootfallSite, next: () => Hit): Promise<Billed> {
  for (;;) {
    const billed = await site.view(next());
    if (billed.outcome === "counted") return billed;
  }
}

function mean(bills: readonly Bill[]): CallFigures {
  const sum = sumOf(bills);
  return {
    documents: sum.documentsWritten / bills.length,
    ranges: sum.ranges / bills.length,
    kilobytes: bytesOf(sum) / bills.length / 1_000,
  };
}

function most(bills: readonly Bill[]): CallFigures {
  const totals = bills.map((bill) => totalOf(bill));
  const largest = (of: (amounts: Amounts) => number): number => Math.max(...totals.map(of));
  return {
    documents: largest(({ documentsWritten }) => documentsWritten),
    ranges: largest(({ ranges }) => ranges),
    kilobytes: largest(bytesOf) / 1_000,
  };
}

/** What a view and its share of a visitor leave in the tables: documents and the keys of their indexes. */
export async function measureStoredKilobytes(): Promise<number> {
  const site = await FootfallSite.open();
  try {
    const next = await warm(site, 0.2);
    const bills: Bill[] = [];
    let newVisitors = 0;
    while (bills.length < 100) {
      const { bill } = await countedView(site, next);
      bills.push(bill);
      if (totalOf(bill, isVisitors).documentsRead === 0) newVisitors += 1;
    }
    const rows = sumOf(bills, (table) => table === "/pageViews").writtenBytes / bills.length;
    const visitor = sumOf(bills, isVisitors).writtenBytes / bills.length;
    return (rows + visitor * (newVisitors / bills.length)) / 1_000;
  } finally {
    site.close();
  }
}

const isVisitors = (table: string): boolean => table === "/visitors";
