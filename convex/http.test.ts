import { describe, expect, test } from "vitest";
import { api, internal } from "./_generated/api.js";
import { deployment } from "./deployment.helpers.ts";

test("C14: a preflight for /e is answered, also by a browser of another origin", async () => {
  const { t } = deployment("2026-11-30T12:00:00Z");
  const answer = await t.fetch("/e", { method: "OPTIONS" });
  expect(answer.status).toBe(204);
  expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(answer.headers.get("Access-Control-Allow-Methods")).toContain("POST");
});

test.each([
  ["no JSON", "leave", /no JSON object/],
  ["a list", "[]", /no JSON object/],
  ["an unknown kind", '{"kind":"click"}', /wanted "view", "event", "beat"/],
  ["a view without a path", '{"kind":"view","sessionId":"s"}', /"path" is missing/],
  [
    "a width that is text",
    '{"kind":"view","sessionId":"s","path":"/","screenWidth":"1"}',
    /no number/,
  ],
  ["no session", '{"kind":"leave"}', /"sessionId" is missing/],
  ["an invalid session", '{"kind":"leave","sessionId":""}', /sessionId is not valid/],
  ["a path that is no text", '{"kind":"leave","sessionId":"s","path":1}', /"path" is no text/],
  ["an unknown site", '{"kind":"leave","sessionId":"s","site":"x"}', /"x" is unknown here/],
])("%s is refused in one sentence, without a stack", async (_what, body, message) => {
  const { t } = deployment("2026-11-30T12:00:00Z");
  const answer = await t.fetch("/e", { method: "POST", body });
  expect(answer.status).toBe(400);
  const text = await answer.text();
  expect(text).toMatch(message);
  expect(text.trim()).not.toContain("\n");
});

describe("a view by POST /e", () => {
  const view = { kind: "view", sessionId: "s1", path: "/a/?x=1", timeZone: "Europe/Paris" };
  const range = { range: { from: Date.UTC(2026, 10, 30), until: Date.UTC(2026, 11, 1) } };

  async function countries(site: ReturnType<typeof deployment>) {
    await site.t.mutation(api.stats.settle, {});
    const report = { ...range, dimension: "country" as const };
    const { rows, countryBy } = await site.t.query(api.reports.breakdown, report);
    return { rows: rows.map(({ value, views }) => [value, views]), countryBy };
  }

  function send(site: ReturnType<typeof deployment>, fields: object, headers = {}) {
    const body = JSON.stringify({ ...view, ...fields });
    const sent = { "User-Agent": "Mozilla/5.0 (X11)", ...headers };
    return site.t.fetch("/e", { method: "POST", body, headers: sent });
  }

  test("counts as one that a client sends, once for one event id", async () => {
    const site = deployment("2026-11-30T12:00:00Z");
    const sent = { eventId: "e1", title: "A", pageType: "post" };
    expect((await send(site, sent)).status).toBe(204);
    expect((await send(site, sent)).status).toBe(204);
    expect(await site.instant()).toMatchObject({
      totalPageViews: 1,
      pageStats: [{ path: "/a", title: "A", pageType: "post", views: 1 }],
    });
  });

  test("a CDN's country is believed where the operator says that there is a CDN, and the report says so", async () => {
    const site = deployment("2026-11-30T12:00:00Z");
    const header = { "CF-IPCountry": "pt" };
    await send(site, {}, header);
    expect(await countries(site)).toEqual({ rows: [["FR", 1]], countryBy: "timeZone" });
    await site.t.mutation(internal.sites.ensureDefault, { countryHeader: "cf-ipcountry" });
    await send(site, { sessionId: "s2" }, header);
    await send(site, { sessionId: "s3" }, { "CF-IPCountry": "T1" });
    const believed = await countries(site);
    expect(believed.countryBy).toBe("headerOrTimeZone");
    expect(believed.rows).toEqual([
      ["FR", 2],
      ["PT", 1],
    ]);
  });

  test("a header that states no country is refused as a setting, and null takes one back", async () => {
    const site = deployment("2026-11-30T12:00:00Z");
    const set = (countryHeader: string | null) =>
      site.t.mutation(internal.sites.ensureDefault, { countryHeader });
    await expect(set("x-forwarded-for")).rejects.toThrow(/Wanted one of cf-ipcountry/);
    await set("x-vercel-ip-country");
    await set(null);
    await send(site, {}, { "x-vercel-ip-country": "PT" });
    expect((await countries(site)).rows).toEqual([["FR", 1]]);
  });
});

describe("GET /badge/<site>.svg", () => {
  async function ask(site: ReturnType<typeof deployment>, address: string) {
    const answer = await site.t.fetch(address, { method: "GET" });
    return {
      status: answer.status,
      type: answer.headers.get("Content-Type"),
      text: await answer.text(),
    };
  }

  test("shows a site's exact number of this moment once the site has a badge, and else tells nothing", async () => {
    const site = deployment("2026-11-30T12:00:00Z");
    await site.t.mutation(internal.sites.ensureDefault, {});
    await site.t.mutation(api.stats.recordPageView, {
      path: "/",
      pageType: "page",
      sessionId: "s1",
    });
    expect(await ask(site, "/badge/default.svg")).toMatchObject({ status: 404 });
    await site.t.mutation(internal.sites.set, { site: "default", badge: true });
    const total = await ask(site, "/badge/default.svg");
    expect(total).toMatchObject({ status: 200, type: "image/svg+xml; charset=utf-8" });
    expect(total.text).toContain(">1 view</text>");
    const live = await ask(site, "/badge/default.svg?shows=live");
    expect(live.text).toContain(">1 reading now</text>");
    expect(await ask(site, "/badge/default.svg?shows=secrets")).toMatchObject({ status: 400 });
    for (const name of ["other", "%3Cscript%3E", "__proto__"]) {
      const answer = await ask(site, `/badge/${name}.svg`);
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain(name);
    }
  });
});
