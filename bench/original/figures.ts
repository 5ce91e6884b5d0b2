/**
 * Owns: what design.md says the original costs, and what our meter says of its re-implementation: the meter is trusted
 * where both agree.
 */
import { bytesOf, sumOf, totalOf } from "../support/bill.ts";
import { MEASURED_VIEWS, OriginalSite } from "./site.ts";

/** A page view, heartbeats and the rate limiter apart, and getStats. */
export type Figures = {
  documents: number;
  ranges: number;
  kilobytes: number;
  statsKilobytes: number;
  statsRanges: number;
};

/** By the number of views in the table. */
export const DESIGN_SAYS: ReadonlyMap<number, Figures> = new Map([
  [10, { documents: 4.3, ranges: 29, kilobytes: 16, statsKilobytes: 29, statsRanges: 126 }],
  [1_000, { documents: 5.5, ranges: 42, kilobytes: 40, statsKilobytes: 411, statsRanges: 572 }],
  [5_000, { documents: 7.5, ranges: 53, kilobytes: 60, statsKilobytes: 673, statsRanges: 767 }],
]);

/** A view's figure may differ from the design's by this share. */
export const TOLERANCE = 0.1;

export type Apart = {
  /** The rate limiter's part of a view. */
  limiter: { documents: number; ranges: number; kilobytes: number };
  heartbeatKilobytes: number;
};

export async function measureOriginal(views: number): Promise<Figures & Apart> {
  const site = await OriginalSite.open(views);
  try {
    const bills = [];
    for (let view = 0; view < MEASURED_VIEWS; view += 1) bills.push(await site.view());
    const heartbeats = [];
    const stats = totalOf(await site.stats());
    for (let beat = 0; beat < MEASURED_VIEWS; beat += 1) heartbeats.push(await site.heartbeat());
    const own = sumOf(bills, (table) => table !== "/rateLimits");
    const limiter = sumOf(bills, (table) => table === "/rateLimits");
    return {
      documents: own.documentsWritten / MEASURED_VIEWS,
      ranges: own.ranges / MEASURED_VIEWS,
      kilobytes: bytesOf(own) / MEASURED_VIEWS / 1_000,
      statsKilobytes: bytesOf(stats) / 1_000,
      statsRanges: stats.ranges,
      limiter: {
        documents: limiter.documentsWritten / MEASURED_VIEWS,
        ranges: limiter.ranges / MEASURED_VIEWS,
        kilobytes: bytesOf(limiter) / MEASURED_VIEWS / 1_000,
      },
      heartbeatKilobytes: bytesOf(sumOf(heartbeats)) / MEASURED_VIEWS / 1_000,
    };
  } finally {
    site.deployment.close();
  }
}

/** By how much of the design's figure the measured one differs; null for a figure that the design does not give. */
export function deviationOf(views: number, name: keyof Figures, measured: Figures): number | null {
  const said = DESIGN_SAYS.get(views)?.[name];
  return said === undefined ? null : measured[name] / said - 1;
}
