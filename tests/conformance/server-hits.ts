/** Owns: what a server may send with the key of a site, and what nobody can without. Not: hits of browsers (received.ts). */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { BOT, DAY, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

const PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1";

export function serverHits(create: CreateRuntime): void {
  describe("POST /v1/events", () => {
    test("a list of hits is counted for the key's site, one outcome each, and a resend changes nothing", () =>
      tell(create, async (site) => {
        const key = await keyOf(site, "shop");
        const hits = [
          { sessionId: "s1", path: "/a", eventId: "e1" },
          { kind: "view", site: "shop", sessionId: "s1", path: "/a/", eventId: "e2" },
          { sessionId: "s2", path: "/b", eventId: "e3", userAgent: BOT },
        ];
        const first = await send(site, key, hits);
        expect(first.status).toBe(200);
        const filtered = { outcome: "filtered", reason: "bot" };
        expect(await first.json()).toEqual({
          outcomes: [{ outcome: "counted" }, { outcome: "duplicate" }, filtered],
        });
        const [one] = hits;
        const again = await send(site, key, one);
        expect(again.headers.get("X-Footfall")).toBe("duplicate");
        const { totalPageViews } = await site.runtime.query(api.stats.getStats, { site: "shop" });
        expect([totalPageViews, (await site.stats()).totalPageViews]).toEqual([1, 0]);
      }));

    test("what it says of its visitor is believed, and its own user agent is nobody's", () =>
      tell(create, async (site) => {
        const key = await keyOf(site, "shop");
        const visitor = { sessionId: "s1", path: "/a", language: "pt-BR", host: "shop.example" };
        await send(site, key, { ...visitor, userAgent: PHONE, country: "br" }, BOT);
        await send(site, key, { sessionId: "s2", path: "/a" }, BOT);
        await site.runtime.mutation(api.stats.settle, { site: "shop" });
        expect(await valuesOf(site, "country")).toEqual(["", "BR"]);
        expect(await valuesOf(site, "device")).toEqual(["", "mobile"]);
        expect(await valuesOf(site, "host")).toEqual(["", "shop.example"]);
      }));

    test("one hit that is not understood refuses all of them, and says which", () =>
      tell(create, async (site) => {
        const key = await keyOf(site, "shop");
        const good = { sessionId: "s1", path: "/a" };
        const bad: [unknown, RegExp][] = [
          [[good, { sessionId: "s1" }], /^Hit 2: "path" is missing/],
          [[good, { ...good, kind: "beat" }], /^Hit 2: "kind" is "beat"; wanted "view" or "event"/],
          [[good, { ...good, kind: "event", name: " " }], /^Hit 2: "name" is " "; wanted/],
          [[good, { ...good, site: "default" }], /^Hit 2: "site" is not "shop"/],
          [[good, { ...good, sessionId: "é" }], /^Hit 2: sessionId is not valid/],
          [[good, { ...good, userAgent: 1 }], /^Hit 2: "userAgent" is no text/],
          [[good, "view"], /^Hit 2: It is no JSON object/],
          [[], /0 hits; wanted/],
          ["view", /0 hits; wanted/],
          [Array<object>(101).fill(good), /101 hits; wanted/],
        ];
        for (const [body, sentence] of bad) {
          const answer = await send(site, key, body);
          expect(answer.status).toBe(400);
          expect(await answer.text()).toMatch(sentence);
        }
        for (const table of ["pageViews", "filteredHits", "visitors", "activeSessions"]) {
          expect(await site.runtime.rows(table)).toEqual([]);
        }
      }));

    test("without a key that holds, one answer says nothing of why; a revoked key holds no more", () =>
      tell(create, async (site) => {
        const key = await keyOf(site, "shop");
        const [listed] = await site.runtime.query(internal.keys.list, { site: "shop" });
        const otherEnd = key.endsWith("0") ? "1" : "0";
        const wrong = ["", key.slice(0, -1), `${key.slice(0, -1)}${otherEnd}`, `${key}0`, "ff_"];
        const answers = [await refusal(site, { Authorization: "Basic YTpi" })];
        for (const tried of wrong) {
          answers.push(await refusal(site, { Authorization: `Bearer ${tried}` }));
        }
        const revoked = { site: "shop", id: listed?.id ?? "" };
        const elsewhere = site.runtime.mutation(internal.keys.revoke, { id: revoked.id });
        await expect(elsewhere).rejects.toMatchObject({ data: { code: "invalid_key" } });
        await site.runtime.mutation(internal.keys.revoke, revoked);
        answers.push(await refusal(site, { Authorization: `Bearer ${key}` }));
        answers.push(await refusal(site, {}));
        expect(new Set(answers)).toEqual(
          new Set(["401 Bearer A key is needed: Authorization: Bearer ff_….\n"]),
        );
        expect(await site.runtime.rows("pageViews")).toEqual([]);
      }));

    test("what is kept of a key cannot be sent as one", () =>
      tell(create, async (site) => {
        const key = await keyOf(site, "shop");
        const rows = await site.runtime.rows("apiKeys");
        expect(rows).toHaveLength(1);
        const secret = key.split("_").at(-1) ?? "";
        expect(secret).toMatch(/^[0-9a-f]{64}$/);
        expect(JSON.stringify(rows)).not.toContain(secret);
        const listed = await site.runtime.query(internal.keys.list, { site: "shop" });
        expect(listed).toMatchObject([{ name: "the shop's server" }]);
        expect(JSON.stringify(listed)).not.toContain(rows[0]?.secretHash);
      }));
  });
}

async function keyOf(site: Site, slug: string): Promise<string> {
  await site.runtime.mutation(internal.sites.add, { slug, hosts: [`${slug}.example`] });
  const asked = { site: slug, name: "the shop's server" };
  return (await site.runtime.action(internal.keys.create, asked)).key;
}

function send(site: Site, key: string, hits: unknown, userAgent = "node"): Promise<Response> {
  return site.runtime.fetch("/v1/events", {
    method: "POST",
    body: JSON.stringify(hits),
    headers: { Authorization: `Bearer ${key}`, "User-Agent": userAgent },
  });
}

async function refusal(site: Site, headers: Record<string, string>): Promise<string> {
  const body = JSON.stringify({ sessionId: "s1", path: "/a" });
  const answer = await site.runtime.fetch("/v1/events", { method: "POST", body, headers });
  return `${answer.status} ${answer.headers.get("WWW-Authenticate")} ${await answer.text()}`;
}

async function valuesOf(site: Site, dimension: "country" | "device" | "host"): Promise<string[]> {
  const range = { from: NOON - DAY, until: NOON + DAY };
  const asked = { site: "shop", range, dimension };
  const { rows } = await site.runtime.query(api.reports.breakdown, asked);
  return rows.map(({ value }) => value).sort();
}
