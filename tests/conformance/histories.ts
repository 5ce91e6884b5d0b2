/**
 * Owns: the invariants, over random histories of visitors, resends, workers and crashes.
 * Not: single behaviours, which have names in the other lists.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { internal } from "../../convex/_generated/api.js";
import { DEDUP_WINDOW_MS, SESSION_TIMEOUT_MS } from "../../domain/intervals.ts";
import { tell, MINUTE } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime, Sender } from "./runtime.ts";

type Step =
  | { kind: "view"; who: number; where: number; isResend: boolean; isPrivate: boolean }
  | { kind: "beat"; who: number; where: number }
  | { kind: "leave"; who: number }
  | { kind: "pass"; ms: number }
  | { kind: "run" | "twoRuns" | "sweep" | "watch" | "crash" | "poison" };

/** No sum of a few of these is near a window or a timeout: which side of it a call falls on is not what is tested. */
const PASSES_MS = [507, 11_100, 50_700, 130_900, 11 * MINUTE + 1_300];

const who = fc.nat(3);
const where = fc.nat(3);

const stepOf: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("view" as const),
      who,
      where,
      isResend: fc.boolean(),
      isPrivate: fc.integer({ min: 0, max: 4 }).map((place) => place === 4),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("beat" as const), who, where }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("leave" as const), who }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      ms: fc.constantFrom(...PASSES_MS),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("run", "twoRuns", "sweep", "watch", "crash", "poison"),
    }),
  },
);

/** Of one day, and everybody has an address: what is true of browsers is true of them. */
const modeOf = fc.constantFrom("browser" as const, "daily" as const);

const senderOf = (who: number): Sender => ({
  ip: `203.0.113.${who}`,
  userAgent: "Mozilla/5.0 (X11) Firefox/145.0",
});

export function histories(create: CreateRuntime, { runs }: { runs: number }): void {
  describe("histories", () => {
    test("I1 I2 I4 I9: each accepted event counts once, totals are rows, online is who has not timed out, poison stands alone", () =>
      fc.assert(
        fc.asyncProperty(modeOf, fc.array(stepOf, { minLength: 5, maxLength: 40 }), (mode, steps) =>
          tell(create, async (site) => {
            const model = new Model();
            await site.runtime.mutation(internal.sites.set, { visitorMode: mode });
            // Until the salts of the day are there.
            await site.runtime.advance(1_100);
            for (const step of steps) {
              await take(step, site, model);
              await expectInstant(site, model);
            }
            await site.runtime.dropScheduled();
            await site.runtime.advance(2 * MINUTE + 1_000);
            await site.wakeOverdue();
            await site.sweep();
            await site.settle();
            model.forgetTimedOut(site.runtime.now());
            await expectInstant(site, model);
            await expectSettled(site, model);
          }),
        ),
        { numRuns: runs },
      ));
  });
}

/** What should be true, kept the slow and obvious way. */
class Model {
  counted: { path: string; sessionId: string; at: number }[] = [];
  online = new Map<string, { path: string; lastSeen: number }>();
  poisoned = 0;
  nobodys = 0;
  readonly #seen = new Map<string, string[]>();
  #events = 0;

  view(sessionId: string, path: string, at: number, isResend: boolean) {
    const before = this.#seen.get(sessionId) ?? [];
    const eventId = isResend ? before.at(-1) : undefined;
    if (eventId !== undefined) return { eventId, outcome: "duplicate" };
    const fresh = `e${(this.#events += 1)}`;
    const isDuplicate = this.counted.some(
      (view) =>
        view.sessionId === sessionId && view.path === path && at - view.at < DEDUP_WINDOW_MS,
    );
    if (!isDuplicate) this.counted.push({ path, sessionId, at });
    this.#seen.set(sessionId, [...before, fresh]);
    this.beat(sessionId, path, at, !isDuplicate || this.online.get(sessionId)?.path !== path);
    return { eventId: fresh, outcome: isDuplicate ? "duplicate" : "counted" };
  }

  /** A view of nobody is one of somebody who is never seen again; nobody is online by it. */
  viewOfNobody(path: string, at: number): string {
    const event = `n${(this.nobodys += 1)}`;
    this.counted.push({ path, sessionId: event, at });
    return event;
  }

  /** Every view beats; a heartbeat inside its window on the same path does not, nor does that of somebody without a view. */
  beat(sessionId: string, path: string, at: number, isForced = true): void {
    if (!this.counted.some((view) => view.sessionId === sessionId)) return;
    const session = this.online.get(sessionId);
    const isRepeat = session?.path === path && at - session.lastSeen < 10_000;
    if (isForced || !isRepeat) this.online.set(sessionId, { path, lastSeen: at });
  }

  forgetTimedOut(now: number): void {
    for (const [sessionId, { lastSeen }] of this.online) {
      if (now - lastSeen >= SESSION_TIMEOUT_MS) this.online.delete(sessionId);
    }
  }

  onlineAt(now: number): string[] {
    return [...this.online.values()]
      .filter(({ lastSeen }) => now - lastSeen < SESSION_TIMEOUT_MS)
      .map(({ path }) => path);
  }
}

async function take(step: Step, site: Site, model: Model): Promise<void> {
  const now = site.runtime.now();
  const run = () => site.runtime.mutation(internal.worker.run, { site: "default" });
  switch (step.kind) {
    case "view": {
      const [sessionId, path] = [`s${step.who}`, `/p${step.where}`];
      const sender = senderOf(step.who);
      if (step.isPrivate) {
        const hit = { isPrivate: true, eventId: model.viewOfNobody(path, now), ...sender };
        expect(await site.view(path, sessionId, hit)).toEqual({ outcome: "counted" });
        if (step.isResend) {
          expect(await site.view(path, sessionId, hit)).toEqual({ outcome: "duplicate" });
        }
        break;
      }
      const { eventId, outcome } = model.view(sessionId, path, now, step.isResend);
      expect(await site.view(path, sessionId, { eventId, ...sender })).toEqual({ outcome });
      break;
    }
    case "beat":
      await site.beat(`/p${step.where}`, `s${step.who}`, senderOf(step.who));
      model.beat(`s${step.who}`, `/p${step.where}`, now, false);
      break;
    case "leave":
      await site.leave(`s${step.who}`, {}, senderOf(step.who));
      model.online.delete(`s${step.who}`);
      break;
    case "pass":
      await site.runtime.advance(step.ms);
      break;
    case "run":
      await run();
      break;
    case "twoRuns":
      await Promise.all([run(), run()]);
      break;
    case "sweep":
      await site.sweep();
      break;
    case "watch":
      await site.watch();
      break;
    case "crash":
      await site.runtime.dropScheduled();
      break;
    case "poison":
      await plantPoison(site);
      model.poisoned += 1;
      break;
    default:
      step satisfies never;
  }
}

/** A log row that no door would write. */
async function plantPoison(site: Site): Promise<void> {
  const row = { path: "/poison", pageType: "page", sessionId: "poison", timestamp: -1 };
  await site.runtime.insertLogged("pageViews", [{ ...row, site: "default", movedFrom: "/poison" }]);
}

async function expectInstant(site: Site, model: Model): Promise<void> {
  const stats = await site.stats();
  const online = model.onlineAt(site.runtime.now());
  expect({
    total: stats.totalPageViews,
    visitors: stats.uniqueVisitors,
    pages: stats.pageStats.map(({ path, views }) => [path, views]),
    online: stats.activeVisitors,
    byPath: stats.activeByPath.map(({ path, count }) => [path, count]),
    minutes: stats.minutes.reduce((sum, { views }) => sum + views, 0),
  }).toEqual({
    total: model.counted.length,
    visitors: new Set(model.counted.map(({ sessionId }) => sessionId)).size - model.nobodys,
    pages: ranked(model.counted.map(({ path }) => path)),
    online: online.length,
    byPath: ranked(online),
    minutes: model.counted.filter(({ at }) => at >= firstMinute(site.runtime.now())).length,
  });
}

async function expectSettled(site: Site, model: Model): Promise<void> {
  const settled = await site.settled();
  const { settledAt, ...instant } = await site.stats();
  expect(settled).toEqual({ ...instant, settledAt });
  const rows = await site.runtime.rows("pageViews");
  expect(settled.totalPageViews).toBe(rows.length - model.poisoned);
  expect(settled.activeByPath.reduce((sum, { count }) => sum + count, 0)).toBe(
    settled.activeVisitors,
  );
  expect(await site.runtime.rows("activeSessions")).toHaveLength(settled.activeVisitors ?? NaN);
  expect(await site.runtime.rows("quarantine")).toHaveLength(model.poisoned);
  expect(await site.runtime.rows("presenceLog")).toEqual([]);
}

/** When the oldest of the thirty minutes begins. */
function firstMinute(now: number): number {
  return Math.floor(now / MINUTE) * MINUTE - 29 * MINUTE;
}

function ranked(paths: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}
