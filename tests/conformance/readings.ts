/** Owns: what `GET /v1/stats/<report>` answers, on every runtime. Not: the numbers themselves (reports.ts). */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { parseFilter } from "../../domain/filters/text.ts";
import type { CreateRuntime } from "./runtime.ts";
import { tell } from "./site.ts";
import type { Site } from "./site.ts";

async function read(site: Site, address: string, token?: string) {
  const headers = new Headers(token === undefined ? [] : [["Authorization", `Bearer ${token}`]]);
  const answer = await site.runtime.fetch(`/v1/stats/${address}`, { method: "GET", headers });
  return { answer, body: (await answer.json()) as Record<string, unknown> };
}

export function readings(create: CreateRuntime): void {
  describe("reports over HTTP", () => {
    test("are what the queries answer, exact at once, though nobody watches", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1", { timeZone: "Europe/Lisbon" });
        await site.view("/b", "s1");
        await site.event("signup", "s1", { properties: { plan: "pro" } });
        const { answer, body } = await read(site, "summary?period=today");
        expect(answer.status).toBe(200);
        expect(answer.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
        expect(answer.headers.get("Cache-Control")).toBe("public, max-age=10");
        expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
        expect(body).toMatchObject({ views: 2, visits: 1, visitors: 1 });
        const range = { firstDay: "2026-11-30", lastDay: "2026-11-30" };
        expect(body).toEqual(await site.runtime.query(api.reports.summary, { range }));
        const asked = { range, dimension: "path" as const, rankBy: "exits" as const, limit: 1 };
        expect(
          (await read(site, "breakdown?period=today&dimension=path&rankBy=exits&limit=1")).body,
        ).toEqual(await site.runtime.query(api.reports.breakdown, asked));
        const only = { dimension: "country" as const, value: "PT" };
        expect(
          (await read(site, "timeseries?period=2026-11-30..2026-11-30&unit=hour&only=country:PT"))
            .body,
        ).toEqual(await site.runtime.query(api.reports.timeseries, { range, unit: "hour", only }));
        expect((await read(site, "events?period=today")).body).toEqual(
          await site.runtime.query(api.reports.events, { range }),
        );
        expect((await read(site, "eventProperties?period=today&name=signup")).body).toEqual(
          await site.runtime.query(api.reports.eventProperties, { range, name: "signup" }),
        );
        expect((await read(site, "engagement?period=today&path=/a")).body).toEqual(
          await site.runtime.query(api.reports.engagement, { range, path: "/a" }),
        );
        expect((await read(site, "engagedPaths?period=today")).body).toEqual(
          await site.runtime.query(api.reports.engagedPaths, { range }),
        );
        expect((await read(site, "now")).body).toMatchObject({
          ...{ activeVisitors: 1, totalPageViews: 2, viewsToday: 2 },
        });
      }));

    test("are asked under a filter as the address of /stats has it, made while they are asked, and say how much of it there is", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1", { timeZone: "Europe/Lisbon" });
        await site.view("/b", "s1");
        await site.view("/a", "s2", { timeZone: "Asia/Kathmandu" });
        await site.event("signup", "s1", { path: "/b", properties: { plan: "pro" } });
        await site.event("signup", "s2");
        const ofLisbon = `filter=${encodeURIComponent("timeZone:is:Europe/Lisbon")}`;
        const progress = { done: 1, total: 1 };
        const { body } = await read(site, `summary?period=today&${ofLisbon}`);
        expect(body).toMatchObject({ views: 2, visitors: 1, events: 1, progress });
        const range = { firstDay: "2026-11-30", lastDay: "2026-11-30" };
        const filter = parseFilter("timeZone:is:Europe/Lisbon") ?? [];
        expect(body).toEqual(await site.runtime.query(api.reports.summary, { range, filter }));
        for (const asked of [
          "timeseries?unit=hour",
          "breakdown?dimension=path",
          "events?limit=5",
          "eventProperties?name=signup",
        ]) {
          const answer = await read(site, `${asked}&period=today&${ofLisbon}`);
          expect(answer.body, asked).toMatchObject({ progress });
        }
        await site.view("/c", "s1");
        expect((await read(site, `summary?period=today&${ofLisbon}`)).body.views).toBe(3);
        const ofBoth = `${ofLisbon}${encodeURIComponent(";path:is:/a|/c")}`;
        expect((await read(site, `summary?period=today&${ofBoth}`)).body.views).toBe(2);
        for (const [address, code] of [
          ["summary?filter=country", "invalid_filter"],
          ["summary?filter=hour:is:3", "invalid_filter"],
          ["summary?filter=path:contains:", "invalid_filter"],
          ["engagement?filter=path:is:/a", "invalid_question"],
          ["now?filter=path:is:/a", "invalid_question"],
        ] as const) {
          const refused = await read(site, address);
          expect([address, refused.answer.status, refused.body.code]).toEqual([address, 400, code]);
        }
      }));

    test("all time begins with the first view, and a period that is left out is 28 days", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.runtime.advance(40 * 24 * 3_600_000);
        await site.view("/a", "s1");
        expect((await read(site, "summary?period=all")).body).toMatchObject({ views: 2 });
        expect((await read(site, "summary")).body).toMatchObject({ views: 1 });
      }));

    test("a site that is not public wants its token, in a header; what cannot be answered says why in one coded sentence", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await site.runtime.mutation(internal.sites.set, { access: "token" });
        const { token } = await site.runtime.action(internal.tokens.create, {});
        for (const wrong of [undefined, "fr_1_2"]) {
          const { answer, body } = await read(site, "summary?period=today", wrong);
          expect([answer.status, body.code]).toEqual([401, "not_allowed"]);
          expect((await read(site, "now", wrong)).answer.status).toBe(401);
        }
        expect((await read(site, `summary?period=today&token=${token}`)).body.code).toBe(
          "invalid_question",
        );
        const { answer, body } = await read(site, "summary?period=today", token);
        expect(body).toMatchObject({ views: 1 });
        expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
        for (const [address, status, code] of [
          ["summary?site=docs", 404, "unknown_site"],
          ["summary?period=forever", 400, "invalid_range"],
          ["summary?period=2026-02-30..2026-03-01", 400, "invalid_range"],
          ["revenue", 400, "invalid_question"],
          ["breakdown", 400, "invalid_question"],
          ["breakdown?dimension=eventProperty", 400, "invalid_question"],
          ["summary?unit=day", 400, "invalid_question"],
          ["timeseries?unit=minute", 400, "invalid_question"],
          ["summary?only=PT", 400, "invalid_question"],
          ["events?limit=many", 400, "invalid_question"],
        ] as const) {
          const refused = await read(site, address, token);
          expect([address, refused.answer.status, refused.body.code]).toEqual([
            ...[address, status, code],
          ]);
        }
      }));

    test("any page may ask with a token: the browser's question before it is answered", () =>
      tell(create, async (site) => {
        const answer = await site.runtime.fetch("/v1/stats/summary", { method: "OPTIONS" });
        expect(answer.status).toBe(204);
        expect(answer.headers.get("Access-Control-Allow-Headers")).toBe("Authorization");
      }));
  });
}
