/** Owns: which site a hit belongs to, and what becomes of one that is no site's. Not: what is counted of it. */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

export function sites(create: CreateRuntime): void {
  describe("many sites", () => {
    test("while no site has a host, a hit from anywhere is the default site's", () =>
      tell(create, async (site) => {
        await add(site, { slug: "docs" });
        expect(await site.view("/a", "s1", { host: "anything.example" })).toEqual({
          outcome: "counted",
        });
        expect((await site.stats()).totalPageViews).toBe(1);
      }));

    test("a hit is that of the site that it names, else of the site whose host it came from", () =>
      tell(create, async (site) => {
        await add(site, { slug: "docs", hosts: ["https.example", "Docs.Example:8080"] });
        await add(site, { slug: "shop" });
        await site.view("/a", "s1", { host: "www.docs.example" });
        await site.view("/a", "s1", { site: "shop", host: "docs.example" });
        await post(site, { kind: "view" }, { Origin: "https://docs.example", Host: "x" });
        await post(site, { kind: "view" }, { Origin: "null", Referer: "https://docs.example/x" });
        expect(await viewsOf(site)).toEqual({ default: 0, docs: 3, shop: 1 });
      }));

    test("beats and leaves go where the views go", () =>
      tell(create, async (site) => {
        await add(site, { slug: "docs", hosts: ["docs.example"] });
        const from = { Origin: "https://docs.example" };
        await post(site, { kind: "view" }, from);
        await post(site, { kind: "beat", path: "/b" }, from);
        expect((await statsOf(site, "docs")).activeByPath).toEqual([{ path: "/b", count: 1 }]);
        const known = { sessionId: "s-view", host: "docs.example" };
        await site.runtime.mutation(api.stats.heartbeat, { ...known, currentPath: "/c" });
        expect((await statsOf(site, "docs")).activeByPath).toEqual([{ path: "/c", count: 1 }]);
        await site.runtime.mutation(api.stats.leave, known);
        for (const slug of ["docs", "default"]) {
          expect((await statsOf(site, slug)).activeVisitors).toBe(0);
        }
      }));

    test("from the first host on, a hit from an unknown host is kept as filtered, and puts nobody online", () =>
      tell(create, async (site) => {
        const { notes } = await add(site, { slug: "docs", hosts: ["docs.example"] });
        expect(notes).toEqual([expect.stringContaining("--any-host takes it back")]);
        const stranger = { host: "copy.example" };
        expect(await site.view("/a", "s1", stranger)).toEqual({
          outcome: "filtered",
          reason: "unknown site",
        });
        const answer = await post(site, { kind: "view" }, { Origin: "https://copy.example" });
        expect(answer.headers.get("X-Footfall")).toBe("filtered; unknown site");
        const beat = await post(site, { kind: "beat" }, { Origin: "https://copy.example" });
        expect(beat.headers.get("X-Footfall")).toBe("filtered; unknown site");
        expect(await site.view("/b", "s2")).toMatchObject({ outcome: "filtered" });
        expect(await viewsOf(site)).toEqual({ default: 0, docs: 0 });
        expect(await site.runtime.rows("activeSessions")).toEqual([]);
        expect(await unknown(site)).toMatchObject([
          { host: "copy.example", named: null, hits: 2, isExact: true },
          { host: "", named: null, hits: 1 },
        ]);
      }));

    test("a hit that names a site but comes from none of its hosts is filtered likewise", () =>
      tell(create, async (site) => {
        await add(site, { slug: "docs", hosts: ["docs.example"] });
        const forged = { site: "docs", host: "evil.example" };
        expect(await site.view("/a", "s1", forged)).toMatchObject({ reason: "unknown site" });
        expect(await site.view("/a", "s1", { site: "docs" })).toMatchObject({
          reason: "unknown site",
        });
        expect((await viewsOf(site)).docs).toBe(0);
        const [, named] = await unknown(site);
        expect(named).toMatchObject({
          ...{ host: "evil.example", named: "docs", hits: 1 },
          command: "npm run sites -- set docs --add-host evil.example",
        });
      }));

    test("an unknown slug stays an error, for a client and over HTTP", () =>
      tell(create, async (site) => {
        await expect(site.view("/a", "s1", { site: "nope" })).rejects.toMatchObject({
          data: { code: "unknown_site" },
        });
        expect((await post(site, { kind: "view", site: "nope" }, {})).status).toBe(400);
        expect(await site.runtime.rows("filteredHits")).toEqual([]);
      }));

    test("a host that is added counts from then on, and one that is taken away no longer does", () =>
      tell(create, async (site) => {
        await add(site, { slug: "docs", hosts: ["docs.example"] });
        await set(site, { site: "docs", addHosts: ["new.example"] });
        expect(await site.view("/a", "s1", { host: "new.example" })).toMatchObject({
          outcome: "counted",
        });
        await set(site, { site: "docs", removeHosts: ["new.example"] });
        expect(await site.view("/b", "s1", { host: "new.example" })).toMatchObject({
          outcome: "filtered",
        });
        await set(site, { takesUnknownHosts: true });
        await site.view("/b", "s1", { host: "new.example" });
        await site.view("/b", "s1", { host: "docs.example" });
        expect(await viewsOf(site)).toEqual({ default: 1, docs: 2 });
      }));

    test("a flood from one unknown host leaves few rows, and is counted all the same", () =>
      tell(create, async (site) => {
        await add(site, { slug: "docs", hosts: ["docs.example"] });
        for (let hit = 0; hit < 400; hit += 1) {
          await site.view(`/p${hit}`, `s${hit}`, { host: "copy.example" });
        }
        const rows = await site.runtime.rows("filteredHits");
        expect(rows.length).toBeGreaterThanOrEqual(20);
        expect(rows.length).toBeLessThan(80);
        expect(await unknown(site)).toMatchObject([{ host: "copy.example", isExact: false }]);
      }));

    test("a site's window decides what is counted again, and 0 counts every view", () =>
      tell(create, async (site) => {
        await set(site, { dedupWindowMs: 0 });
        for (let times = 0; times < 3; times += 1) await site.view("/a", "s1");
        expect((await site.stats()).totalPageViews).toBe(3);
        await set(site, { dedupWindowMs: null });
        expect(await site.view("/a", "s1")).toEqual({ outcome: "duplicate" });
      }));

    test("a site's path rules group, leave out, and keep what makes a page another one", () =>
      tell(create, async (site) => {
        const rules = { group: ["/user/*"], exclude: ["/admin/**"], keepQuery: ["page"] };
        await set(site, { pathRules: rules });
        await site.view("/user/7", "s1");
        expect(await site.view("/user/8", "s1")).toEqual({ outcome: "duplicate" });
        const excluded = { outcome: "filtered", reason: "excluded path" };
        expect(await site.view("/admin", "s2")).toEqual(excluded);
        for (const query of ["?page=1", "?page=2&ref=x"]) await site.view("/list", "s3", { query });
        const { pageStats, activeByPath } = await site.stats();
        expect(pageStats.map(({ path, views }) => [path, views])).toEqual([
          ["/list?page=1", 1],
          ["/list?page=2", 1],
          ["/user/*", 1],
        ]);
        expect(activeByPath).toHaveLength(2);
        const asked = { path: "/list?ref=y&page=2" };
        expect((await site.runtime.query(api.stats.countViews, asked)).views).toBe(0);
        await site.settleReports();
        expect((await site.runtime.query(api.stats.countViews, asked)).views).toBe(1);
      }));

    test("beats and leaves follow the path rules: nobody moves by them, or to where nothing is counted", () =>
      tell(create, async (site) => {
        const rules = { group: ["/user/*"], exclude: ["/admin/**"], keepQuery: ["page"] };
        await set(site, { pathRules: rules });
        await site.view("/user/7", "s1");
        await site.view("/list", "s2", { query: "?page=2" });
        const before = (await site.stats()).activeByPath;
        for (const [path, sessionId] of [
          ["/user/9", "s1"],
          ["/list", "s2"],
          ["/admin/x", "s2"],
        ] as const) {
          await site.beat(path, sessionId);
        }
        expect((await site.stats()).activeByPath).toEqual(before);
        await site.leave("s1", { path: "/other" });
        expect((await site.stats()).activeVisitors).toBe(2);
        await site.leave("s1", { path: "/user/7" });
        await site.leave("s2", { path: "/list" });
        expect((await site.stats()).activeVisitors).toBe(0);
      }));

    test("a setting that is not valid is refused in one sentence, and changes nothing", () =>
      tell(create, async (site) => {
        await add(site, { slug: "docs", hosts: ["docs.example"] });
        const before = await site.runtime.query(internal.sites.list, {});
        const bad: [() => Promise<unknown>, string][] = [
          [() => add(site, { slug: "Docs" }), "invalid_site"],
          [() => add(site, { slug: "docs" }), "site_exists"],
          [() => add(site, { slug: "shop", hosts: ["docs.example"] }), "host_taken"],
          [() => set(site, { site: "nope", name: "x" }), "unknown_site"],
          [() => set(site, { site: "docs", hosts: ["https://docs.example/"] }), "invalid_site"],
          [() => set(site, { site: "docs", name: "  " }), "invalid_site"],
          [() => set(site, { site: "docs", dedupWindowMs: -1 }), "invalid_site"],
          [() => set(site, { site: "docs", retentionDays: 0 }), "invalid_range"],
          [() => set(site, { site: "docs", timeZone: "Mars/Olympus" }), "invalid_time_zone"],
          [() => set(site, { site: "docs", takesUnknownHosts: true }), "invalid_site"],
          ...[["user/*"], ["/a?b"]].map((group): [() => Promise<unknown>, string] => [
            () => set(site, { pathRules: { group, exclude: [], keepQuery: [] } }),
            "invalid_site",
          ]),
        ];
        for (const [attempt, code] of bad) {
          await expect(attempt()).rejects.toMatchObject({ data: { code } });
        }
        expect(await site.runtime.query(internal.sites.list, {})).toEqual(before);
      }));
  });
}

type Added = { slug: string; hosts?: string[] };
type Settings = { site?: string } & Record<string, unknown>;

function add(site: Site, args: Added) {
  return site.runtime.mutation(internal.sites.add, args);
}

function set(site: Site, args: Settings) {
  return site.runtime.mutation(internal.sites.set, args);
}

function unknown(site: Site) {
  return site.runtime.query(internal.sites.unknownHosts, {});
}

function statsOf(site: Site, slug: string) {
  return site.runtime.query(api.stats.getStats, { site: slug });
}

async function viewsOf(site: Site): Promise<Record<string, number>> {
  const listed = await site.runtime.query(internal.sites.list, {});
  const counted = listed.map(async ({ slug }): Promise<[string, number]> => {
    return [slug, (await statsOf(site, slug)).totalPageViews];
  });
  return Object.fromEntries(await Promise.all(counted));
}

/** Each from a visitor of its own, but beats and leaves, which are those of the last view's. */
function post(site: Site, fields: object, headers: Record<string, string>): Promise<Response> {
  const sessionId = "s-view";
  const body = JSON.stringify({ sessionId, path: `/p${(nextPath += 1)}`, ...fields });
  return site.runtime.fetch("/e", { method: "POST", body, headers });
}

let nextPath = 0;
