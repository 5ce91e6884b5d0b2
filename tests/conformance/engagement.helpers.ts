/** Owns: the words in which engagement is told: what a page reports of a view, and what a reader is told. Not: expectations. */
import type { HumanVerdict } from "../../domain/engagement/human.ts";
import { api } from "../../convex/_generated/api.js";
import { DAY, NOON } from "./site.ts";
import type { Site } from "./site.ts";

export type Report = {
  engagedMs?: number;
  scrollPercent?: number;
  vitals?: { lcpMs?: number; inpMs?: number; cls?: number; fcpMs?: number; ttfbMs?: number };
  human?: HumanVerdict;
};

/** Noon and the days around it. */
export const DAYS_AROUND = { from: NOON - DAY, until: NOON + 40 * DAY };

export function engagementOn(site: Site) {
  const { runtime } = site;
  return {
    report: (
      sessionId: string,
      path: string,
      more: Report & { viewId?: string; site?: string; host?: string; userAgent?: string } = {},
    ) => {
      const { viewId = `${sessionId} ${path}`.replaceAll(/\W/g, "-"), userAgent, ...said } = more;
      const request = userAgent === undefined ? undefined : { userAgent };
      const args = { sessionId, path, viewId, ...said };
      return runtime.mutation(api.stats.recordEngagement, args, request);
    },
    /** A view whose event id is the one that `report` says by default. */
    view: (sessionId: string, path: string, more: { site?: string } = {}) => {
      const eventId = `${sessionId} ${path}`.replaceAll(/\W/g, "-");
      return site.view(path, sessionId, { eventId, ...more });
    },
    figures: (args: { path?: string; site?: string } = {}) =>
      runtime.query(api.reports.engagement, { range: DAYS_AROUND, ...args }),
    paths: (args: { limit?: number; rankBy?: "views" | "engagedMs" | "averageEngagedMs" } = {}) =>
      runtime.query(api.reports.engagedPaths, { range: DAYS_AROUND, ...args }),
    /** The stored roll-ups in one comparable form. */
    rollups: async () => {
      const rows = await runtime.rows("engagementRollups");
      return rows
        .map(({ _id, _creationTime, bytes, ...place }) =>
          JSON.stringify([place, bytes instanceof ArrayBuffer ? [...new Uint8Array(bytes)] : null]),
        )
        .sort();
    },
  };
}
