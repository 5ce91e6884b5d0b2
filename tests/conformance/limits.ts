/** Owns: how much events, reports and nobody may send. Not: views of visitors, and the daily cap (under-attack.ts). */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { engagementOn } from "./engagement.helpers.ts";
import type { CreateRuntime } from "./runtime.ts";
import { DAY, MINUTE, tell } from "./site.ts";
import type { Site } from "./site.ts";

/** Of the ranges that are for documentation alone. */
const SENDER = { ip: "203.0.113.9" };

const LIMITED = { outcome: "filtered", reason: "rate limit" };

export function limits(create: CreateRuntime): void {
  describe("limits of what is no view of a visitor", () => {
    test("C22: whoever asks not to be tracked, or sends events without a page, is limited by address as new visitors are", () =>
      tell(create, async (site) => {
        await makeSalts(site);
        await site.view("/a", "known", SENDER);
        const sent = await sendUntilLimited((turn) => {
          const sender = { path: "/a", sessionId: `s${turn}` };
          if (turn % 2 === 0) return view(site, { ...sender, isPrivate: true });
          return event(site, { ...sender, isPrivate: turn % 4 === 1 });
        });
        // Of the 200 one in eight takes eight.
        expect(sent).toBeGreaterThan(50);
        for (const isPrivate of [true, false]) {
          expect(await view(site, { path: "/a", sessionId: "new", isPrivate })).toEqual(LIMITED);
          expect(await event(site, { path: "/a", sessionId: "new", isPrivate })).toEqual(LIMITED);
        }
        const reasons = await site.runtime.query(internal.stats.countFilteredHits, {});
        expect(reasons.reasons).toMatchObject([{ reason: "rate limit", hits: 5 }]);
        const ofKnown = { path: "/b", sessionId: "known" };
        expect(await view(site, ofKnown)).toEqual({ outcome: "counted" });
        expect(await event(site, ofKnown)).toEqual({ outcome: "counted" });
        expect(await event(site, { ...ofKnown, isInteractive: false })).toEqual({
          outcome: "counted",
        });
        await site.runtime.mutation(internal.sites.add, { slug: "free", visitorMode: "none" });
        const ofNone = { path: "/a", sessionId: "x", site: "free" };
        expect(await view(site, ofNone)).toEqual({ outcome: "counted" });
        expect(await event(site, ofNone)).toEqual({ outcome: "counted" });
        await site.runtime.advance(MINUTE);
        const hidden = { path: "/a", sessionId: "new", isPrivate: true };
        expect(await view(site, hidden)).toEqual({ outcome: "counted" });
      }));

    test("a visitor who is known comes back online from an address that has sent too many new ones", () =>
      tell(create, async (site) => {
        await makeSalts(site);
        await site.view("/a", "known", SENDER);
        await site.leave("known");
        await sendUntilLimited((turn) => view(site, { path: "/a", sessionId: `n${turn}` }));
        for (const sessionId of ["known", "never-seen"]) {
          await site.beat("/a", sessionId, SENDER);
        }
        const online = (await site.runtime.rows("activeSessions")).map((row) => row.sessionId);
        expect(online).toContain("known");
        expect(online).not.toContain("never-seen");
      }));

    test("interactive events of a visit and its views are of one measure; without an address nobody else is limited", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        const sent = await sendUntilLimited(() => site.event("click", "s1"));
        // A moment may pass, in which some come back.
        expect([299, 300, 301, 302]).toContain(sent);
        expect(await site.view("/b", "s1")).toEqual(LIMITED);
        expect(await site.event("click", "s2")).toEqual({ outcome: "counted" });
        await site.runtime.advance(MINUTE);
        expect(await site.event("click", "s1")).toEqual({ outcome: "counted" });
        expect(await site.view("/b", "s1")).toEqual({ outcome: "counted" });
      }));

    test("a view reports some times at once and once a minute; what it says in the end is what counts", () =>
      tell(create, async (site) => {
        const { view: viewed, report, figures } = engagementOn(site);
        await viewed("s1", "/a");
        const sent = await sendUntilLimited((turn) =>
          report("s1", "/a", { scrollPercent: Math.min(100, turn + 1) }),
        );
        expect(sent).toBe(60);
        await site.runtime.advance(2 * MINUTE);
        const last = { scrollPercent: 100, engagedMs: 30_000 };
        expect(await report("s1", "/a", last)).toEqual({ outcome: "counted" });
        await site.settleReports();
        expect(await figures()).toMatchObject({ views: 1, engagedMs: 30_000 });
      }));

    test("where a day has no salt yet it is asked for, once there is one it is that of ids too, and until then nobody is limited", () =>
      tell(create, async (site) => {
        expect(await view(site, { path: "/a", sessionId: "s1" })).toEqual({ outcome: "counted" });
        expect(await site.runtime.rows("salts")).toEqual([]);
        await site.runtime.advance(1_100);
        expect(await site.runtime.rows("salts")).toHaveLength(2);
        await sendUntilLimited((turn) => view(site, { path: "/a", sessionId: `n${turn}` }));
        await site.runtime.advance(3 * DAY);
        expect(await view(site, { path: "/a", sessionId: "later" })).toEqual({
          outcome: "counted",
        });
        await site.runtime.mutation(internal.salts.tend, {});
        await site.runtime.mutation(internal.worker.forgetAddresses, {});
        await site.runtime.advance(1_100);
        const days = (await site.runtime.rows("salts")).map(({ startsAt }) => Number(startsAt));
        const today = Math.floor(site.runtime.now() / DAY) * DAY;
        expect(days.sort()).toEqual([today, today + DAY]);
      }));
  });
}

type Sent = { path: string; sessionId: string; isPrivate?: boolean; site?: string };

function view(site: Site, sent: Sent) {
  return site.runtime.mutation(api.stats.recordPageView, { pageType: "page", ...sent }, SENDER);
}

function event(site: Site, sent: Sent & { isInteractive?: boolean }) {
  return site.runtime.mutation(api.stats.recordEvent, { name: "click", ...sent }, SENDER);
}

async function makeSalts(site: Site): Promise<void> {
  await site.runtime.mutation(internal.salts.tend, {});
  await site.runtime.advance(1_100);
}

/** How many were taken before the first that was not. */
async function sendUntilLimited(send: (turn: number) => Promise<unknown>): Promise<number> {
  for (let turn = 0; turn < 2_000; turn += 1) {
    const outcome = await send(turn);
    if (JSON.stringify(outcome) === JSON.stringify(LIMITED)) return turn;
  }
  throw new Error("Nothing is limited.");
}
