/** Owns: which views the door filters for what they are, over each way by which they come, and that each can be counted after all. Not: how many are too many (under-attack.ts). */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import type { CreateRuntime } from "./runtime.ts";
import { tell } from "./site.ts";
import type { Site } from "./site.ts";

export function doorRules(create: CreateRuntime): void {
  describe("the door", () => {
    test("what no browser sends as its user agent is filtered, over HTTP and through a client; a server says its visitor's", () =>
      tell(create, async (site) => {
        const filtered = { outcome: "filtered", reason: "no browser" };
        expect(await site.view("/a", "s1", { userAgent: "  " })).toEqual(filtered);
        expect(await site.view("/a", "s2", { userAgent: "${jndi:ldap://x}" })).toEqual(filtered);
        for (const [place, userAgent] of [
          "none",
          "Mozilla/5.0 (Windows NT 12.0; Win64) Gecko/20100101 Firefox/132.0",
        ].entries()) {
          const answer = await post(site, `p${place}`, { "User-Agent": userAgent });
          expect(answer).toBe("filtered; no browser");
        }
        const { key } = await site.runtime.action(internal.keys.create, {});
        const sent = await site.runtime.fetch("/v1/events", {
          method: "POST",
          headers: { Authorization: `Bearer ${key}`, "User-Agent": "none" },
          body: JSON.stringify({ sessionId: "s3", path: "/a" }),
        });
        expect(sent.headers.get("X-Footfall")).toBe("counted");
        expect(await countsOf(site)).toEqual({ views: 1, "no browser": 4 });
      }));

    test("a page that is loaded ahead is not a view yet", () =>
      tell(create, async (site) => {
        const purposes = [
          ["Sec-Purpose", "prefetch"],
          ["Sec-Purpose", "prefetch;prerender"],
          ["Purpose", "prefetch"],
          ["X-Moz", "prefetch"],
        ] as const;
        for (const [name, purpose] of purposes) {
          expect(await post(site, "s1", { [name]: purpose })).toBe("filtered; prefetch");
        }
        expect(await post(site, "s1", {})).toBe("counted");
        expect(await countsOf(site)).toEqual({ views: 1, prefetch: 4 });
      }));

    test("what the door refuses is no sign of life and no event either", () =>
      tell(create, async (site) => {
        expect(await post(site, "s1", {})).toBe("counted");
        await site.runtime.mutation(api.stats.leave, { sessionId: "s1" });
        const blocked = { blockedHosts: ["copy.example"] };
        await site.runtime.mutation(internal.sites.set, blocked);
        const refused = [
          [{ "User-Agent": "none" }, "no browser"],
          [{ "User-Agent": "Googlebot/2.1" }, "bot"],
          [{ "Sec-Purpose": "prefetch" }, "prefetch"],
          [{ Origin: "https://www.copy.example" }, "blocked host"],
        ] as const;
        for (const [headers, reason] of refused) {
          const event = { kind: "event", name: "signup" };
          expect(await post(site, "s1", headers, { kind: "beat" })).toBe(`filtered; ${reason}`);
          expect(await post(site, "s1", headers, event)).toBe(`filtered; ${reason}`);
        }
        expect(await site.runtime.rows("events")).toEqual([]);
        expect((await site.stats()).activeVisitors).toBe(0);
      }));

    test("a blocked host or referrer is meant with any port and with or without www.", () =>
      tell(create, async (site) => {
        const blocked = {
          blockedHosts: ["www.copy.example", "local.example:8080"],
          blockedReferrers: ["www.spam.example"],
        };
        await site.runtime.mutation(internal.sites.set, blocked);
        for (const host of ["copy.example", "www.copy.example", "local.example:3000"])
          expect(await site.view("/a", "s1", { host })).toMatchObject({ reason: "blocked host" });
        for (const referrer of ["https://spam.example/", "https://www.spam.example:444/x"])
          expect(await site.view("/a", "s1", { referrer })).toMatchObject({
            reason: "blocked referrer",
          });
      }));

    test("a site blocks hosts and referrers, and lets them in again with what they sent", () =>
      tell(create, async (site) => {
        const blocked = { blockedHosts: ["Copy.example"], blockedReferrers: ["*.spam.example"] };
        await site.runtime.mutation(internal.sites.set, blocked);
        const spam = { referrer: "https://free.spam.example/x" };
        expect(await site.view("/a", "s1", { host: "copy.example" })).toMatchObject({
          reason: "blocked host",
        });
        expect(await site.view("/a", "s2", spam)).toMatchObject({ reason: "blocked referrer" });
        const news = { referrer: "https://news.example/spam.example" };
        expect(await site.view("/a", "s3", news)).toEqual({ outcome: "counted" });
        expect(await countsOf(site)).toEqual({
          views: 1,
          "blocked host": 1,
          "blocked referrer": 1,
        });
        await site.runtime.mutation(internal.sites.set, { blockedReferrers: null });
        expect(await site.view("/a", "s4", spam)).toEqual({ outcome: "counted" });
        const asked = { referrer: "*.spam.example" };
        await site.runtime.mutation(internal.stats.restoreFiltered, asked);
        expect(await countsOf(site)).toEqual({ views: 3, "blocked host": 1 });
        await site.runtime.mutation(internal.stats.filterCounted, asked);
        expect(await countsOf(site)).toEqual({
          ...{ views: 1, "blocked host": 1, "blocked referrer": 2 },
        });
        for (const bad of [{ blockedHosts: ["a b"] }, { blockedReferrers: ["*"] }]) {
          await expect(site.runtime.mutation(internal.sites.set, bad)).rejects.toMatchObject({
            data: { code: "invalid_site" },
          });
        }
      }));
  });
}

async function post(
  site: Site,
  sessionId: string,
  headers: Record<string, string>,
  said: { kind: string; name?: string } = { kind: "view" },
) {
  const body = JSON.stringify({ ...said, path: "/a", sessionId });
  const answer = await site.runtime.fetch("/e", { method: "POST", body, headers });
  return answer.headers.get("X-Footfall");
}

async function countsOf(site: Site): Promise<Record<string, number>> {
  const { reasons } = await site.runtime.query(internal.stats.countFilteredHits, {});
  const filtered = reasons.map(({ reason, hits }): [string, number] => [reason, hits]);
  return { views: (await site.stats()).totalPageViews, ...Object.fromEntries(filtered) };
}
