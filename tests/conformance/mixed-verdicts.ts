/**
 * Owns: what must be true when verdicts change where there are not only views of browsers: events, nobody, ids of a day,
 * engagement.
 * Not: views of browsers (verdicts.ts).
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { runs } from "../long.helpers.ts";
import { engagementOn } from "./engagement.helpers.ts";
import { pastOf } from "./past.helpers.ts";
import type { CreateRuntime } from "./runtime.ts";
import { BOT, DAY, HOUR, MINUTE, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import { filter, past, restore } from "./verdicts.helpers.ts";
import { expectHistories } from "./visitor-histories.helpers.ts";

const RANGE = { from: NOON - DAY, until: NOON + 40 * DAY };

const ANNE = { ip: "203.0.113.77", userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0" };

export function mixedVerdicts(create: CreateRuntime, { histories }: { histories: number }): void {
  describe("verdicts on what is no view of a browser", () => {
    ofEvents(create);
    ofNobody(create);
    ofEngagement(create);

    test("I2, I3, I5: what is put back, or withdrawn, leaves the numbers of a past with the other rule, and life goes on from there", () =>
      fc.assert(
        fc.asyncProperty(anyHistory, async (steps) => {
          const ruled = { exclude: ["/x/**"] };
          const restored = await told(create, steps, { ...ruled, change: "restore" });
          expect(restored).toEqual(await told(create, steps, { exclude: [] }));
          // Only views are withdrawn.
          const others = steps.map((step) =>
            step.kind === "view" ? step : { ...step, path: "/a" },
          );
          const withdrawn = await told(create, others, { exclude: [], change: "withdraw" });
          expect(withdrawn).toEqual(await told(create, others, ruled));
        }),
        { numRuns: runs(histories, 150) },
      ));
  });
}

function ofEvents(create: CreateRuntime): void {
  test("C41: an event that was filtered comes back as an event: in its day, in its visit, once", () =>
    tell(create, async (site) => {
      const bot = { userAgent: BOT };
      await site.view("/a", "s1");
      await site.runtime.advance(MINUTE);
      const sent = { properties: { plan: "pro" }, eventId: "e1" };
      await site.event("signup", "s1", { ...bot, ...sent });
      await site.event("404", "s1", { ...bot, path: "/gone" });
      await site.event("signup", "s2", bot);
      await site.runtime.advance(MINUTE);
      await site.event("signup", "s1");
      await site.view("/b", "s1");
      await site.settleReports();
      await site.runtime.advance(2 * DAY);
      await pastOf(site).work();
      const listed = await site.runtime.query(internal.stats.listFilteredHits, {});
      expect(listed.map(({ event }) => event).sort()).toEqual(["404", "signup", "signup"]);
      expect(await restore(site, { reason: "bot" })).toMatchObject({ moved: 3, left: 0 });
      await expectProved(site);
      expect(await site.runtime.rows("pageViews")).toHaveLength(2);
      expect(await site.runtime.rows("visitors")).toHaveLength(1);
      const { rows } = await site.runtime.query(api.reports.events, { range: RANGE });
      expect(rows.map(({ name, events }) => [name, events])).toEqual([
        ["signup", 3],
        ["404", 1],
      ]);
      const stored = await site.runtime.rows("events");
      const first = stored.find(({ eventId }) => eventId === "e1");
      expect(first).toMatchObject({ visitSequence: 2, properties: '[["plan","pro"]]' });
      const ofName = stored.filter(
        ({ sessionId, name }) => sessionId === "s1" && name === "signup",
      );
      expect(ofName.map(({ nameLastSeenAt }) => nameLastSeenAt).sort()).toEqual([
        first?.timestamp,
        undefined,
      ]);
      expect(await site.event("signup", "s1", sent)).toEqual({ outcome: "duplicate" });
      expect(await restore(site, { reason: "bot" })).toMatchObject({ matching: 0 });
    }));

  test("an event that was counted meanwhile is a duplicate, and one of nobody is nobody's", () =>
    tell(create, async (site) => {
      await site.event("signup", "s1", { userAgent: BOT, eventId: "e1" });
      await site.event("signup", "s1", { eventId: "e1" });
      const nobody = { name: "signup", sessionId: "s1", path: "/a", isPrivate: true };
      await site.runtime.mutation(api.stats.recordEvent, nobody, { userAgent: BOT });
      const done = await restore(site, { reason: "bot" });
      expect(done).toMatchObject({ moved: 1, duplicates: 1 });
      await expectProved(site);
      const events = await site.runtime.rows("events");
      expect(events.map(({ visitSequence }) => visitSequence)).toEqual([undefined, 0]);
      expect(await site.runtime.rows("visitors")).toEqual([]);
    }));

  test("events stay when the views of their visit leave: in no visit, or in that of the views that stay", () =>
    tell(create, async (site) => {
      await site.view("/wp/login", "s1");
      await site.event("signup", "s1");
      await site.view("/wp/login", "s2");
      await site.runtime.advance(MINUTE);
      await site.view("/a", "s2");
      await site.event("signup", "s2");
      await site.settleReports();
      expect(await filter(site, { path: "/wp/**" })).toMatchObject({ moved: 2 });
      await expectProved(site);
      const events = await site.runtime.rows("events");
      expect(events.map(({ visitSequence }) => visitSequence)).toEqual([undefined, 2]);
      const summary = await site.runtime.query(api.reports.summary, { range: RANGE });
      expect(summary).toMatchObject({ views: 1, visits: 1, bounces: 0, visitors: 1 });
      await site.view("/b", "s2");
      await site.settleReports();
      await expectProved(site);
    }));
}

function ofNobody(create: CreateRuntime): void {
  test("a view of nobody comes back as one: no visitor, no window, and sent again a duplicate", () =>
    tell(create, async (site) => {
      const hidden = { isPrivate: true, userAgent: BOT };
      for (const eventId of ["e1", "e2"]) await site.view("/a", "s1", { ...hidden, eventId });
      for (let view = 0; view < 2; view += 1) await site.view("/a", "s1", hidden);
      expect(await restore(site, { reason: "bot" })).toMatchObject({ moved: 4, duplicates: 0 });
      await expectProved(site);
      expect(await site.stats()).toMatchObject({
        ...{ totalPageViews: 4, uniqueVisitors: 0, activeVisitors: 0 },
      });
      const rows = await site.runtime.rows("pageViews");
      expect(rows.map(({ visitSequence }) => visitSequence)).toEqual([0, 0, 0, 0]);
      expect(await site.runtime.rows("visitors")).toEqual([]);
      const again = await site.view("/a", "s1", { isPrivate: true, eventId: "e1" });
      expect(again).toEqual({ outcome: "duplicate" });
      const summary = await site.runtime.query(api.reports.summary, { range: RANGE });
      expect(summary).toMatchObject({ views: 4, visits: 0, visitors: 0 });
    }));

  test("views of nobody are withdrawn each for itself, and no visitor goes with them", () =>
    tell(create, async (site) => {
      await site.view("/a", "s1");
      for (const path of ["/wp/1", "/a", "/wp/2", "/b"]) {
        await site.view(path, "s1", { isPrivate: true });
        await site.runtime.advance(MINUTE);
      }
      const before = await site.runtime.rows("pageViews");
      expect(await filter(site, { path: "/wp/**" })).toMatchObject({ moved: 2 });
      await expectProved(site);
      expect(await site.stats()).toMatchObject({ totalPageViews: 3, uniqueVisitors: 1 });
      const kept = before.filter(({ path }) => !String(path).startsWith("/wp"));
      expect(await site.runtime.rows("pageViews")).toEqual(kept);
      expect(await restore(site, { reason: "excluded path" })).toMatchObject({ moved: 2 });
      await expectProved(site);
      expect(await site.stats()).toMatchObject({ totalPageViews: 5, uniqueVisitors: 1 });
    }));

  test("past the daily cap a view of nobody puts nobody online, and the visits of others stay what they are", () =>
    tell(create, async (site) => {
      await site.runtime.mutation(internal.sites.set, { dailyCap: 3 });
      await site.view("/a", "s1");
      for (let view = 0; view < 4; view += 1) await site.view("/a", "x", { isPrivate: true });
      await site.view("/b", "s1");
      await site.event("signup", "s1");
      await site.settle();
      expect(await site.stats()).toMatchObject({
        ...{ totalPageViews: 3, uniqueVisitors: 1, activeVisitors: 1 },
      });
      await expectProved(site);
      expect(await restore(site, { reason: "daily cap" })).toMatchObject({ moved: 3 });
      await expectProved(site);
      expect(await site.stats()).toMatchObject({ totalPageViews: 6, uniqueVisitors: 1 });
    }));

  test("a hit of a day's visitor comes back as that visitor's, also when another day has begun", () =>
    tell(create, async (site) => {
      await site.runtime.mutation(internal.sites.set, {
        ...{ visitorMode: "daily", pathRules: { exclude: ["/x/**"] } },
      });
      await site.runtime.advance(1_100);
      await site.view("/a", "one", ANNE);
      await site.runtime.advance(MINUTE);
      await site.view("/x/1", "two", ANNE);
      await site.event("signup", "three", { path: "/x/1", userAgent: ANNE.userAgent });
      await site.runtime.advance(2 * DAY);
      await site.runtime.mutation(internal.sites.set, { pathRules: { exclude: [] } });
      expect(await restore(site, { reason: "excluded path" })).toMatchObject({ moved: 2 });
      await expectProved(site);
      expect(await site.stats()).toMatchObject({ totalPageViews: 2, uniqueVisitors: 1 });
      const rows = await site.runtime.rows("pageViews");
      expect(rows.map(({ visitSequence }) => visitSequence)).toEqual([1, 2]);
      expect(await site.runtime.rows("events")).toMatchObject([{ visitSequence: 0 }]);
    }));

  test("what came from an unknown host is put back as whom the site would have taken it for, and who asks for it is nobody there too", () =>
    tell(create, async (site) => {
      await site.runtime.mutation(internal.sites.set, {
        ...{ visitorMode: "none", hosts: ["blog.example"] },
      });
      await site.runtime.mutation(internal.sites.add, { slug: "docs", hosts: ["docs.example"] });
      const copy = { host: "copy.example" };
      for (const path of ["/a", "/a"])
        await site.view(path, "raw-id", { ...copy, site: "default" });
      await site.view("/a", "raw-id", { ...copy, site: "docs", isPrivate: true });
      const kept = await site.runtime.rows("filteredHits");
      expect(JSON.stringify(kept.map(({ sessionId }) => sessionId))).not.toContain("raw-id");
      await site.view("/b", "raw-id", copy);
      expect(await restore(site, copy)).toMatchObject({ moved: 3 });
      await expectProved(site);
      expect(await site.runtime.rows("visitors")).toEqual([]);
      const rows = await site.runtime.rows("pageViews");
      expect(rows.map(({ visitSequence }) => visitSequence)).toEqual([0, 0, 0]);
    }));
}

function ofEngagement(create: CreateRuntime): void {
  test("what a view reported leaves with it, also of a day that is sealed, and of that of others nothing", () =>
    tell(create, async (site) => {
      const { view, report, figures } = engagementOn(site);
      for (const path of ["/wp/1", "/a"]) {
        await view("s1", path);
        await site.runtime.advance(MINUTE);
        await report("s1", path, { engagedMs: 20_000, scrollPercent: 50 });
      }
      await site.event("signup", "s1");
      await site.settleReports();
      await site.runtime.advance(2 * DAY);
      await pastOf(site).work();
      expect(await figures()).toMatchObject({ views: 2, engagedMs: 40_000 });
      expect(await filter(site, { path: "/wp/**" })).toMatchObject({ moved: 1 });
      await expectProved(site);
      expect(await figures()).toMatchObject({ views: 1, engagedMs: 20_000 });
      expect(await site.runtime.rows("engagements")).toHaveLength(1);
      expect(await restore(site, { reason: "excluded path" })).toMatchObject({ moved: 1 });
      await expectProved(site);
      expect(await figures()).toMatchObject({ views: 1, engagedMs: 20_000 });
    }));
}

type Step = {
  who: number;
  kind: "view" | "event" | "passive";
  path: string;
  passMs: number;
  doesSettle: boolean;
};

const anyHistory: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    who: fc.nat(2),
    kind: fc.constantFrom("view", "view", "event", "passive"),
    path: fc.constantFrom("/a", "/b", "/x/1", "/x/2"),
    passMs: fc.constantFrom(1_100, 10 * MINUTE, 25 * MINUTE, 31 * MINUTE, 5 * HOUR, DAY),
    doesSettle: fc.boolean(),
  }),
  { minLength: 2, maxLength: 14 },
);

/** The last of them asks not to be tracked. */
async function act(site: Site, { who, kind, path }: Pick<Step, "who" | "kind" | "path">) {
  const sender = { path, sessionId: `s${who}`, ...(who === 2 ? { isPrivate: true } : {}) };
  if (kind === "view") {
    await site.runtime.mutation(api.stats.recordPageView, { ...sender, pageType: "page" });
  } else {
    const event = { name: `n${path.length % 2}`, isInteractive: kind === "event" };
    await site.runtime.mutation(api.stats.recordEvent, { ...sender, ...event });
  }
}

async function told(
  create: CreateRuntime,
  steps: readonly Step[],
  { exclude, change }: { exclude: string[]; change?: "restore" | "withdraw" },
) {
  let seen: unknown = null;
  await tell(create, async (site) => {
    await site.runtime.mutation(internal.sites.set, { pathRules: { exclude } });
    for (const step of steps) {
      await act(site, step);
      if (step.doesSettle) await site.runtime.mutation(api.stats.settle, {});
      await site.runtime.advance(step.passMs);
    }
    if (change === "restore") await restore(site, { reason: "excluded path" });
    if (change === "withdraw") await filter(site, { path: "/x/**" });
    await site.runtime.advance(MINUTE);
    for (const who of [0, 1]) {
      await act(site, { who, kind: "view", path: "/later" });
      await act(site, { who, kind: "event", path: "/later" });
    }
    await expectProved(site);
    seen = await past(site);
  });
  return seen;
}

/** Every visitor's history follows from their rows, and every day is what the log says. */
async function expectProved(site: Site): Promise<void> {
  await pastOf(site).work();
  await expectHistories(site);
  expect(await pastOf(site).verify()).toMatchObject({ drift: 0, found: [] });
}
