/** Owns: what one call may touch: documents, ranges, and what two visitors' calls share. Exact, so asserted. Not: bytes and money (bench/). */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { tell, MINUTE } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime, Footprint } from "./runtime.ts";

export function budget(create: CreateRuntime): void {
  describe("budget", () => {
    test("a view that finds the worker due writes at most 3 documents and reads at most 6 ranges", () =>
      tell(create, async (site) => {
        await site.view("/a", "s0");
        for (const [path, sessionId] of [
          ["/a", "s1"],
          ["/b", "s1"],
          ["/b", "s0"],
        ] as const) {
          const view = await viewFootprint(site, path, sessionId);
          expect(view.documentsWritten).toBeLessThanOrEqual(3);
          expect(view.ranges).toBeLessThanOrEqual(6);
        }
      }));

    test("a view that wakes the worker writes at most 5 documents and reads at most 8 ranges", () =>
      tell(create, async (site) => {
        const first = await viewFootprint(site, "/a", "s1");
        await site.settle();
        const waking = await viewFootprint(site, "/a", "s2");
        for (const view of [first, waking]) {
          expect(view.documentsWritten).toBeLessThanOrEqual(5);
          expect(view.ranges).toBeLessThanOrEqual(8);
        }
      }));

    test("two visitors' views share nothing but the reading of the site and of the wake flag", () =>
      tell(create, async (site) => {
        await site.view("/a", "s0");
        await site.settle();
        await site.view("/a", "s0b");
        const views = [
          await viewFootprint(site, "/a", "s1"),
          await viewFootprint(site, "/a", "s2"),
          await viewFootprint(site, "/b", "s0"),
        ];
        for (const [first, second] of pairsOf(views)) {
          expect(first.overlap(second)).toEqual({ conflicts: [], sharedReads: ["sites", "wake"] });
        }
      }));

    test("a view that is routed by its host reads its site in two ranges, and stays within the same budget", () =>
      tell(create, async (site) => {
        await site.runtime.mutation(internal.sites.add, { slug: "docs", hosts: ["docs.example"] });
        for (const host of ["docs.example", "copy.example"]) {
          await site.runtime.mutation(internal.sites.set, { takesUnknownHosts: true });
          const from = { path: "/a", pageType: "page", host };
          const footprints = [];
          for (const sessionId of ["s0", "s1", "s2"]) {
            const view = { ...from, sessionId };
            footprints.push(await site.runtime.footprint(api.stats.recordPageView, view));
          }
          const [, second, third] = footprints;
          if (second === undefined || third === undefined)
            throw new Error("Three views were sent.");
          expect(second.documentsWritten).toBeLessThanOrEqual(3);
          expect(second.ranges).toBeLessThanOrEqual(6);
          const sharedReads = ["siteHosts", "sites", "wake"];
          expect(second.overlap(third)).toEqual({ conflicts: [], sharedReads });
        }
      }));

    test("two visitors' views that wake the worker share only the wake flag", () =>
      tell(create, async (site) => {
        await site.view("/a", "s0");
        await site.settle();
        const first = await viewFootprint(site, "/a", "s1");
        await site.settle();
        const second = await viewFootprint(site, "/a", "s2");
        expect(first.overlap(second).conflicts).toEqual(["wake"]);
      }));

    test("the footprints tell a conflict where there is one: two views of one visitor", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        const first = await viewFootprint(site, "/b", "s1");
        const second = await viewFootprint(site, "/c", "s1");
        expect(first.overlap(second).conflicts).toEqual(
          expect.arrayContaining(["activeSessions", "visitors"]),
        );
      }));

    test("a heartbeat on the same path writes at most its session, and a repeated one nothing", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        const args = { sessionId: "s1", currentPath: "/a" };
        expect((await site.runtime.footprint(api.stats.heartbeat, args)).documentsWritten).toBe(0);
        await site.runtime.advance(30_000);
        expect((await site.runtime.footprint(api.stats.heartbeat, args)).documentsWritten).toBe(1);
      }));

    test("settled getStats reads at most 8 ranges", () =>
      tell(create, async (site) => {
        for (let path = 0; path < 70; path += 1) await site.view(`/p${path}`, `s${path % 7}`);
        await site.settle();
        const args = { freshness: "settled" } as const;
        const { ranges } = await site.runtime.footprint(api.stats.getStats, args);
        expect(ranges).toBeLessThanOrEqual(8);
      }));

    test("a watched site runs its worker at most once a second, and not at all when nothing happens", () =>
      tell(create, async (site) => {
        await site.watchFor(10_000);
        const before = await workerRuns(site);
        for (let view = 0; view < 40; view += 1) {
          await site.view(`/p${view}`, "s1");
          await site.runtime.advance(250);
        }
        const during = (await workerRuns(site)) - before;
        expect(during).toBeGreaterThanOrEqual(9);
        expect(during).toBeLessThanOrEqual(11);
        await site.runtime.advance(3_000);
        const after = await workerRuns(site);
        await site.runtime.advance(20_000);
        expect(await workerRuns(site)).toBe(after);
      }));

    test("an unwatched site runs its worker once in five minutes", () =>
      tell(create, async (site) => {
        for (let minute = 0; minute < 30; minute += 1) {
          await site.view(`/p${minute}`, "s1");
          await site.runtime.advance(MINUTE);
        }
        expect(await workerRuns(site)).toBeLessThanOrEqual(8);
      }));
  });
}

function viewFootprint(site: Site, path: string, sessionId: string): Promise<Footprint> {
  return site.runtime.footprint(api.stats.recordPageView, { path, sessionId, pageType: "page" });
}

/** Runs of the worker that were scheduled and have run. */
async function workerRuns(site: Site): Promise<number> {
  const jobs = await site.runtime.scheduled();
  return jobs.filter(({ name, state }) => /worker(\.js)?:run$/.test(name) && state === "success")
    .length;
}

function pairsOf<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((first, place) =>
    items.slice(place + 1).map((second): [T, T] => [first, second]),
  );
}
