/** Owns: the words in which the past is told: days of views, sealing, proofs. Not: expectations. */
import { api, internal } from "../../convex/_generated/api.js";
import { MINUTE } from "./site.ts";
import type { Site } from "./site.ts";

export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export type Seen = { path: string; sessionId: string; at: number };

/** Seven visitors view three pages on each of `days` days, some of them twice; the clock ends on the morning after. */
export async function liveDays(site: Site, days: number): Promise<Seen[]> {
  const { runtime } = site;
  const seen: Seen[] = [];
  for (let day = 0; day < days; day += 1) {
    for (let turn = 0; turn < 9; turn += 1) {
      const path = ["/a", "/b", "/c"][turn % 3] ?? "/a";
      const sessionId = `visitor-${(day * 2 + turn * 3) % 7}`;
      const at = runtime.now();
      const { outcome } = await site.view(path, sessionId);
      if (outcome === "counted") seen.push({ path, sessionId, at });
      await runtime.advance(turn % 3 === 2 ? 3 * MINUTE : 31 * MINUTE);
    }
    await runtime.mutation(api.stats.settle, {});
    const midnight = Math.ceil(runtime.now() / DAY) * DAY;
    await runtime.advance(midnight + HOUR - runtime.now());
  }
  return seen;
}

export function pastOf(site: Site) {
  const { runtime } = site;

  /** Lets the chain of steps run until nothing is left. */
  async function work(): Promise<void> {
    for (let turn = 0; turn < 400; turn += 1) {
      await runtime.mutation(internal.operators.settle, {});
      await runtime.mutation(internal.past.ensureChains, {});
      await runtime.advance(2_000);
      const busy = (await runtime.rows("pastWork")).some(
        (row) => row.nextStep !== undefined || row.task !== undefined || row.proof !== undefined,
      );
      if (!busy) return;
    }
    throw new Error("The work on the past does not end.");
  }

  async function lastCheck() {
    const check = (await runtime.rows("checks")).at(-1);
    if (check === undefined) throw new Error("There is no proof.");
    return check as typeof check & { drift: number; found: string[] };
  }

  return {
    work,
    sealAll: work,
    verify: async (args: { from?: string; to?: string } = {}) => {
      await runtime.mutation(internal.stats.verify, args);
      await work();
      return await lastCheck();
    },
    repair: async (args: { from?: string; to?: string } = {}) => {
      await runtime.mutation(internal.stats.repair, args);
      await work();
      return await lastCheck();
    },
    counts: async (args: { from?: string; to?: string }) => ({
      views: (await runtime.query(api.stats.countViews, args)).views,
      newVisitors: await runtime.query(api.stats.countNewVisitors, args),
    }),
    /** Everything that a reader could see of the past, in one comparable form. */
    snapshot: async () => {
      const without = (rows: Record<string, unknown>[]) =>
        rows
          .map(({ _id, _creationTime, bytes, ...fields }) => ({
            ...fields,
            ...(bytes instanceof ArrayBuffer
              ? { bytes: [...new Uint8Array(bytes)].join(" ") }
              : {}),
          }))
          .map((row) => JSON.stringify(row))
          .sort();
      return {
        rollups: without(await runtime.rows("rollups")),
        siteDays: without(await runtime.rows("siteDays")),
        pathDays: without(await runtime.rows("pathDays")),
        paths: without(await runtime.rows("paths")),
      };
    },
  };
}
