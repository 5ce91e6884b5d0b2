/**
 * Owns: that engagement stays exact whatever happens to its past: late reports, sealing, re-roll, proof, repair, other
 * time zones, retention, rows that cannot be counted; and in random histories.
 * Not: what one report does (engagement.ts).
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { HUMAN_VERDICTS, standingVerdict } from "../../domain/engagement/human.ts";
import type { HumanVerdict } from "../../domain/engagement/human.ts";
import { runs } from "../long.helpers.ts";
import { engagementOn } from "./engagement.helpers.ts";
import { pastOf } from "./past.helpers.ts";
import { DAY, HOUR, MINUTE, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

/** Noon two days before a month ends. */
const LATE_IN_MONTH = Date.parse("2026-11-29T12:00:00Z");

export function engagementPast(create: CreateRuntime, { runs: numRuns }: { runs: number }): void {
  describe("the past of engagement", () => {
    test("what is reported after its day and its month were sealed counts in them, without making them anew, and is proved", () =>
      tell(
        create,
        async (site) => {
          const { report, figures, rollups } = engagementOn(site);
          const past = pastOf(site);
          await threeDays(site);
          await past.sealAll();
          const units = new Set(
            (await site.runtime.rows("engagementRollups")).map((row) => row.unit),
          );
          expect(units).toEqual(new Set(["hour", "day", "month"]));
          const before = await figures();
          expect(before).toMatchObject({ views: 6, engagedMs: 6 * 20_000 });
          const seen = { engagedMs: 50_000, scrollPercent: 95, vitals: { inpMs: 120 } };
          const late = { ...seen, human: "1-5s" } as const;
          expect(await report("s1-0", "/a", late)).toEqual({ outcome: "counted" });
          await site.settleReports();
          expect(await site.runtime.rows("staleDays")).toEqual([]);
          expect(await figures()).toMatchObject({ views: 6, engagedMs: 5 * 20_000 + 50_000 });
          const nov = { firstDay: "2026-11-01", lastDay: "2026-11-30" };
          const month = await site.runtime.query(api.reports.engagement, { range: nov });
          expect(month).toMatchObject({ views: 4, engagedMs: 3 * 20_000 + 50_000 });
          expect(month.interacting).toMatchObject({ people: 1, synthetic: 3 });
          expect(month.vitals).toMatchObject([
            { name: "lcpMs", views: 4 },
            { name: "inpMs", views: 1 },
          ]);
          expect(await past.verify()).toMatchObject({ drift: 0, found: [] });
          const kept = await rollups();
          await site.runtime.mutation(internal.stats.reroll, {});
          await past.work();
          expect(await rollups()).toEqual(kept);
          await site.runtime.mutation(internal.sites.ensureDefault, { timeZone: "Asia/Kathmandu" });
          await past.work();
          expect(await figures()).toMatchObject({ views: 6, engagedMs: 5 * 20_000 + 50_000 });
          expect(await past.verify()).toMatchObject({ drift: 0, found: [] });
        },
        LATE_IN_MONTH,
      ));

    test("an hour and a month that are damaged and a day that is missing are found and mended", () =>
      tell(
        create,
        async (site) => {
          const past = pastOf(site);
          await threeDays(site);
          await past.sealAll();
          const kept = await engagementOn(site).rollups();
          await spoil(site, "hour", (bytes) => bytes.slice(0, -1));
          await spoil(site, "day", () => null);
          await spoil(site, "month", (bytes) => bytes.slice(0, -1));
          const { found } = await past.verify();
          for (const unit of ["hour", "day", "month"]) {
            expect(found.join(" ")).toMatch(new RegExp(`${unit} [-0-9T:.]+Z, engagement`));
          }
          await past.repair();
          expect(await past.verify()).toMatchObject({ drift: 0, found: [] });
          expect(await engagementOn(site).rollups()).toEqual(kept);
        },
        LATE_IN_MONTH,
      ));

    test("a late report that meets a damaged hour, day or month is counted, and what is damaged is made anew from the log", () =>
      tell(
        create,
        async (site) => {
          const { report, figures } = engagementOn(site);
          const past = pastOf(site);
          await threeDays(site);
          await past.sealAll();
          for (const unit of ["hour", "day", "month"]) {
            await spoil(site, unit, (bytes) => bytes.slice(0, -1));
          }
          await report("s1-0", "/a", { engagedMs: 50_000 });
          await past.work();
          expect(await figures()).toMatchObject({ views: 6, engagedMs: 5 * 20_000 + 50_000 });
          expect(await past.verify()).toMatchObject({ drift: 0, found: [] });
        },
        LATE_IN_MONTH,
      ));

    test("the log goes with the views of its day, the hours with theirs, and what they add up to stays", () =>
      tell(create, async (site) => {
        const past = pastOf(site);
        await threeDays(site);
        await past.sealAll();
        const before = await engagementOn(site).figures();
        await site.runtime.mutation(internal.sites.ensureDefault, { retentionDays: 30 });
        await site.runtime.advance(70 * DAY);
        await site.runtime.mutation(internal.past.startRetention, {});
        await site.runtime.advance(MINUTE);
        expect(await site.runtime.rows("pageViews")).toEqual([]);
        expect(await site.runtime.rows("engagements")).toEqual([]);
        const units = (await site.runtime.rows("engagementRollups")).map(({ unit }) => unit);
        expect(new Set(units)).not.toContain("hour");
        const days = { firstDay: "2026-11-29", lastDay: "2026-12-10" };
        const after = await site.runtime.query(api.reports.engagement, { range: days });
        expect({ ...after, from: 0, until: 0 }).toEqual({ ...before, from: 0, until: 0 });
      }));

    test("I9: a row that cannot be counted is put aside, the others count, and put right it is counted once", () =>
      tell(create, async (site) => {
        const { view, report, figures } = engagementOn(site);
        await view("s1", "/a");
        await view("s2", "/a");
        await site.runtime.advance(MINUTE);
        await report("s1", "/a", { engagedMs: 1_000 });
        const [row] = await site.runtime.rows("engagements");
        const { _id, _creationTime, commitTs: _commitTs, ...fields } = row ?? { _id: "" };
        const poison = { ...fields, sequence: 2, before: fields.after, after: "not figures" };
        await site.runtime.insertLogged("engagements", [poison]);
        await report("s2", "/a", { engagedMs: 2_000 });
        await site.settleReports();
        expect(await figures()).toMatchObject({ views: 2, engagedMs: 3_000 });
        expect(await site.runtime.rows("quarantine")).toMatchObject([{ table: "engagements" }]);
        const past = pastOf(site);
        expect(await past.verify()).toMatchObject({ drift: 0 });
        const [aside] = (await site.runtime.rows("engagements")).filter(
          (found) => found.quarantined,
        );
        if (aside === undefined) throw new Error("No row was put aside.");
        await site.runtime.mutation(internal.stats.retryQuarantined, {});
        await site.settleReports();
        expect(await site.runtime.rows("quarantine")).toMatchObject([{ table: "engagements" }]);
        expect(await figures()).toMatchObject({ views: 2, engagedMs: 3_000 });
      }));

    test("I1: whatever is lost, sent again or out of order, and whenever the worker runs, each view counts with the highest that arrived, also after its day is sealed and made anew", () =>
      fc.assert(
        fc.asyncProperty(messages, messages, (before, after) =>
          tell(create, async (site) => {
            const model = new Model();
            await openPages(site);
            for (const message of before) await deliver(site, model, message);
            await expectModel(site, model);
            await site.runtime.advance(DAY);
            const past = pastOf(site);
            await past.sealAll();
            await site.runtime.mutation(internal.stats.reroll, {});
            for (const message of after) {
              // Dropped jobs leave the chain's mark behind, by which the helper would wait for it.
              const then = message.then === "drop" ? "run" : message.then;
              await deliver(site, model, { ...message, then });
              await site.runtime.mutation(internal.past.advance, { site: "default" });
            }
            await past.work();
            await expectModel(site, model);
            expect(await past.verify()).toMatchObject({ drift: 0, found: [] });
          }),
        ),
        { numRuns: runs(numRuns, 100) },
      ));
  });
}

/** Changes the bytes of the oldest roll-up of a unit by hand, or removes it. */
async function spoil(
  site: Site,
  unit: string,
  change: (bytes: ArrayBuffer) => ArrayBuffer | null,
): Promise<void> {
  const rows = await site.runtime.rows("engagementRollups");
  const [row] = rows.filter((found) => found.unit === unit && found.holds !== "total");
  if (row === undefined) throw new Error(`There is no ${unit} of engagement.`);
  const { _id, _creationTime, bytes, ...place } = row;
  await site.runtime.remove("engagementRollups", [row]);
  const changed = change(bytes as ArrayBuffer);
  if (changed === null) return;
  await site.runtime.insert("engagementRollups", [{ ...place, bytes: changed }]);
}

/** Two views on each of three days, each with a report of its own; the clock ends on the morning after. */
async function threeDays(site: Site): Promise<void> {
  const { view, report } = engagementOn(site);
  for (let day = 0; day < 3; day += 1) {
    for (const [who, path] of [
      [`s1-${day}`, "/a"],
      [`s2-${day}`, "/b"],
    ] as const) {
      await view(who, path);
      await site.runtime.advance(MINUTE);
      const vitals = { lcpMs: 1_900 };
      await report(who, path, { engagedMs: 20_000, scrollPercent: 40, vitals, human: "synthetic" });
    }
    await site.settleReports();
    const midnight = Math.ceil(site.runtime.now() / DAY) * DAY;
    await site.runtime.advance(midnight + HOUR - site.runtime.now());
  }
}

/** Pages that are open: the first of each path is a view, the others are loads within its window. */
const LOADS = ["a0", "a1", "b0", "c0", "c1", "c2"] as const;
type Load = (typeof LOADS)[number];
const pathOf = (load: Load) => `/${load.slice(0, 1)}`;

type Message = {
  load: Load;
  times: number;
  said: {
    engagedMs: number;
    scrollPercent: number;
    vitals: { lcpMs?: number };
    human?: HumanVerdict;
  };
  then: "nothing" | "run" | "settle" | "pass" | "drop";
};

const messages: fc.Arbitrary<Message[]> = fc.array(
  fc.record({
    load: fc.constantFrom(...LOADS),
    times: fc.integer({ min: 0, max: 2 }),
    said: fc.record(
      {
        engagedMs: fc.nat(60_000),
        scrollPercent: fc.nat(100),
        vitals: fc.oneof(fc.constant({}), fc.record({ lcpMs: fc.nat(8_000) })),
        human: fc.constantFrom(...HUMAN_VERDICTS),
      },
      { requiredKeys: ["engagedMs", "scrollPercent", "vitals"] },
    ),
    then: fc.constantFrom("nothing", "nothing", "run", "settle", "pass", "drop"),
  }),
  { maxLength: 14 },
);

async function openPages(site: Site): Promise<void> {
  for (const load of LOADS) await site.view(pathOf(load), "s1", { eventId: load });
  // Long enough that no time that is said is more than can be.
  await site.runtime.advance(20 * MINUTE);
}

/** The slow way: everything that arrived of each load. */
class Model {
  readonly arrived = new Map<Load, Message["said"][]>();

  take({ load, said }: Message): void {
    this.arrived.set(load, [...(this.arrived.get(load) ?? []), said]);
  }

  /** Of each path that reported. */
  views() {
    const byPath = Object.groupBy([...this.arrived], ([load]) => pathOf(load));
    return Object.values(byPath).map((loads = []) => {
      const all = loads.flatMap(([, said]) => said);
      return {
        engagedMs: loads.reduce((sum, [, said]) => sum + most(said.map((one) => one.engagedMs)), 0),
        scrollPercent: most(all.map((one) => one.scrollPercent)),
        lcpMs: all.flatMap(({ vitals }) => vitals.lcpMs ?? []),
        human: all.map(({ human }) => human).reduce(standingVerdict, undefined),
      };
    });
  }
}

async function deliver(site: Site, model: Model, message: Message): Promise<void> {
  const { load, said, times, then } = message;
  for (let time = 0; time < times; time += 1) {
    const more = { viewId: load, ...said };
    const { outcome } = await engagementOn(site).report("s1", pathOf(load), more);
    // The first may already be less than what is known; a further one always is.
    if (time > 0) expect(outcome).toBe("duplicate");
    else expect(outcome).not.toBe("filtered");
  }
  if (times > 0) model.take(message);
  if (then === "run") await site.runtime.mutation(internal.worker.run, { site: "default" });
  if (then === "settle") await site.settleReports();
  if (then === "pass") await site.runtime.advance(6_000);
  if (then === "drop") await site.runtime.dropScheduled();
}

async function expectModel(site: Site, model: Model): Promise<void> {
  await site.settleReports();
  const views = model.views();
  const told = await engagementOn(site).figures();
  const measured = views.filter(({ lcpMs }) => lcpMs.length > 0);
  expect([told.views, told.engagedMs]).toEqual([
    views.length,
    views.reduce((sum, { engagedMs }) => sum + engagedMs, 0),
  ]);
  for (const { percent, views: reached } of told.reached) {
    expect(reached).toBe(views.filter(({ scrollPercent }) => scrollPercent >= percent).length);
  }
  const [lcp] = told.vitals;
  expect(lcp?.views ?? 0).toBe(measured.length);
  for (const verdict of HUMAN_VERDICTS) {
    const by = told.interacting?.by.find((one) => one.verdict === verdict);
    expect(by?.views ?? 0).toBe(views.filter(({ human }) => human === verdict).length);
  }
  expect(lcp?.goodViews ?? 0).toBe(measured.filter(({ lcpMs }) => most(lcpMs) <= 2_500).length);
}

function most(values: readonly number[]): number {
  return Math.max(...values);
}
