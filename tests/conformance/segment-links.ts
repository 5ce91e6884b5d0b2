/**
 * Owns: that a link of one segment alone tells nothing of what is outside of it, through any door, whatever happens
 * there; and what becomes of it when the segment changes or goes.
 * Not: tokens otherwise (access.ts), or whether a filter's numbers are right (filter-histories.ts).
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { READER_MUTATIONS, READER_QUERIES, mutationNamed, queryNamed } from "./access.ts";
import type { CreateRuntime } from "./runtime.ts";
import { tell } from "./site.ts";
import {
  filters,
  linkTo,
  NAME,
  OF_PAGES,
  OUTSIDE,
  playWorld,
  RANGE,
  rested,
  SEGMENT,
} from "./segment-links.helpers.ts";
import type { Outside } from "./segment-links.helpers.ts";
import type { Site } from "./site.ts";

/** What such a link is answered; every other public function says that it is not of a segment. */
const ANSWERED = [
  "filters:ask",
  "filters:shared",
  "reports:breakdown",
  "reports:eventProperties",
  "reports:events",
  "reports:summary",
  "reports:timeseries",
  "stats:settle",
  "stats:watch",
];

/** Filters of a reader who would like to look beyond. */
const CURIOUS = [
  "",
  "timeZone:is:Asia/Kathmandu",
  "timeZone:isNot:Europe/Madrid",
  "path:is:/out",
  "path:contains:a",
];

export function segmentLinks(create: CreateRuntime, { runs }: { runs: number }): void {
  describe("a link of one segment", () => {
    test("tells its own numbers, and is refused all that is of the whole site, through whichever door", () =>
      tell(create, async (site) => {
        await playWorld(site, OUTSIDE);
        const token = await linkTo(site);
        const summary = await site.runtime.query(api.reports.summary, { range: RANGE, token });
        expect(summary).toMatchObject({ views: 5, visits: 3, visitors: 2, events: 1 });
        const whole = await site.runtime.query(internal.operators.summary, { range: RANGE });
        expect(whole).toMatchObject({ views: 9, visitors: 4 });
        const answers = await allAnswers(site, token);
        const names = Object.entries(answers)
          .filter(([, answer]) => answer !== "not_of_segment")
          .map(([name]) => name);
        expect(names.sort()).toEqual(ANSWERED);
        const shared = await site.runtime.query(api.filters.shared, { token });
        expect(shared).toMatchObject({ name: NAME, site: { slug: "default", timeZone: "UTC" } });
        const beyond = await overHttp(site, token, "summary?period=all&filter=path:is:/out");
        expect(beyond).toMatchObject({ views: 0, visitors: 0, progress: { done: 2, total: 2 } });
        const eight = Array.from({ length: 8 }, (_, place) => `path:isNot:/x${place}`);
        const most = await overHttp(site, token, `summary?period=all&filter=${eight.join(";")}`);
        expect(most).toMatchObject({ views: 5, progress: { done: 2, total: 2 } });
        const nine = filters(eight.join(";")).concat(filters("path:isNot:/x8"));
        const asked = { range: RANGE, token, filter: nine };
        await expect(site.runtime.query(api.reports.summary, asked)).rejects.toMatchObject({
          data: { code: "invalid_filter" },
        });
        const within = await overHttp(site, token, "summary?period=all&filter=path:is:/a");
        expect(within).toMatchObject({ views: 3, visitors: 2 });
      }));

    test("says the same whatever happens outside of the segment, whoever asks for what", () =>
      fc.assert(
        fc.asyncProperty(outside, fc.boolean(), async (happened, isOfPages) => {
          const told: object[] = [];
          const elsewhere = happened.map((what) => ({ ...what, path: `/out${what.path}` }));
          for (const world of [[], isOfPages ? elsewhere : happened]) {
            await tell(create, async (site) => {
              await playWorld(site, world, isOfPages ? OF_PAGES : SEGMENT);
              told.push(await everythingTold(site));
            });
          }
          expect(told[1]).toEqual(told[0]);
        }),
        { numRuns: runs, examples: [[OUTSIDE, false]] },
      ));

    test("shows what the segment of that name is: with another filter the other, and once it is removed nothing, for ever", () =>
      tell(create, async (site) => {
        await playWorld(site, OUTSIDE);
        const password = "correct horse";
        const locked = await site.runtime.action(internal.tokens.create, {
          ...{ segment: NAME, password },
        });
        const plain = await linkTo(site);
        const got = await site.runtime.action(api.tokens.unlock, {
          ...{ token: locked.token, password },
        });
        await expect(viewsOf(site, locked.token)).rejects.toMatchObject({
          data: { code: "password_wanted" },
        });
        for (const token of [plain, got.token]) expect(await viewsOf(site, token)).toBe(5);
        await site.runtime.mutation(internal.segments.add, {
          ...{ name: NAME, filter: "timeZone:is:Europe/Madrid;path:is:/a" },
        });
        await rested(site);
        for (const token of [plain, got.token]) expect(await viewsOf(site, token)).toBe(3);
        await site.runtime.mutation(internal.segments.remove, { name: NAME });
        await site.runtime.mutation(internal.segments.add, { name: NAME, filter: SEGMENT });
        await rested(site);
        for (const token of [plain, got.token, locked.token]) {
          await expect(viewsOf(site, token)).rejects.toMatchObject({
            data: { code: "not_allowed" },
          });
        }
        expect(await site.runtime.rows("apiKeys")).toEqual([]);
        expect(await site.runtime.rows("unlockedTokens")).toEqual([]);
      }));

    test("is of a segment that there is, is listed with it, and of a public site shows the segment, too, and nothing once it is revoked", () =>
      tell(create, async (site) => {
        await playWorld(site, OUTSIDE);
        const none = site.runtime.action(internal.tokens.create, { segment: "Lisbon" });
        await expect(none).rejects.toMatchObject({ data: { code: "invalid_key" } });
        const { token } = await site.runtime.action(internal.tokens.create, { segment: NAME });
        const listed = await site.runtime.query(internal.tokens.list, {});
        expect(listed.map(({ segment }) => segment)).toEqual([NAME]);
        expect(await viewsOf(site, token)).toBe(5);
        expect(await viewsOf(site, undefined)).toBe(9);
        const twice = site.runtime.mutation(internal.segments.add, {
          ...{ name: "Also Madrid", filter: SEGMENT },
        });
        await expect(twice).rejects.toMatchObject({ data: { code: "invalid_filter" } });
        const id = listed[0]?.id ?? "";
        await site.runtime.mutation(internal.tokens.revoke, { id });
        await expect(viewsOf(site, token)).rejects.toMatchObject({ data: { code: "not_allowed" } });
        await site.runtime.mutation(internal.sites.set, { access: "operator" });
        await expect(viewsOf(site, token)).rejects.toMatchObject({
          data: { code: "not_allowed" },
        });
      }));
  });
}

const where = fc.constantFrom("/out", "/a", "/b");
const happening: fc.Arbitrary<Outside> = fc.record({
  when: fc.nat(3),
  who: fc.nat(2).map((place) => `stranger-${place}`),
  what: fc.constantFrom("view", "event", "beat", "leave", "engagement"),
  path: where,
});
const outside = fc.array(happening, { minLength: 1, maxLength: 14 });

async function viewsOf({ runtime }: Site, token: string | undefined): Promise<number> {
  const reader = token === undefined ? {} : { token };
  return (await runtime.query(api.reports.summary, { range: RANGE, ...reader })).views;
}

/** Through the doors with whatever filter, and over HTTP. */
async function everythingTold(site: Site): Promise<object> {
  const token = await linkTo(site);
  const told: Record<string, unknown> = {};
  for (const filter of CURIOUS) {
    told[`?${filter}`] = await allAnswers(site, token, filter);
    for (const report of OVER_HTTP) {
      const asked = filter === "" ? report : `${report}&filter=${encodeURIComponent(filter)}`;
      told[asked] = await overHttp(site, token, asked);
    }
  }
  return comparable(told);
}

const OVER_HTTP = [
  "now?",
  "summary?period=all",
  "timeseries?period=28d&unit=hour",
  "breakdown?period=28d&dimension=country",
  "events?period=28d",
  "eventProperties?period=28d&name=signup",
  "engagement?period=28d",
  "engagedPaths?period=28d",
];

async function overHttp({ runtime }: Site, token: string, asked: string): Promise<object> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await runtime.fetch(`/v1/stats/${asked}`, { method: "GET", headers });
  return (await answer.json()) as object;
}

/** By function: what it answers, or the code with which it refuses. */
async function allAnswers(site: Site, token: string, text = ""): Promise<Record<string, unknown>> {
  const { runtime } = site;
  const answers: Record<string, unknown> = {};
  const filter = filters(text);
  const note = async (name: string, answer: Promise<unknown>) => {
    answers[name] = await answer.catch(codeOf);
  };
  for (const [name, args] of Object.entries(READER_MUTATIONS)) {
    const asked = { ...args, ...(name === "filters:ask" ? { range: RANGE, filter } : {}), token };
    await note(name, runtime.mutation(mutationNamed(name), asked));
  }
  await rested(site);
  for (const [name, args] of Object.entries(READER_QUERIES)) {
    const isUnder = /^reports:(summary|timeseries|breakdown|event)/.test(name);
    const range = "range" in args ? { range: RANGE } : {};
    const asked = { ...args, ...range, ...(isUnder && text !== "" ? { filter } : {}), token };
    await note(name, runtime.query(queryNamed(name), asked));
  }
  return answers;
}

function codeOf(error: unknown): unknown {
  const isCoded = typeof error === "object" && error !== null && "data" in error;
  const { code } = (isCoded ? error.data : {}) as { code?: unknown };
  if (code === undefined) throw error;
  return code;
}

/** Instants to the hour: a runtime may give each call its own millisecond. */
function comparable(told: object): object {
  const text = JSON.stringify(told, (name, value: unknown) =>
    typeof value === "number" && /(Ms|At|Since)$/.test(name) ? Math.round(value / 600_000) : value,
  );
  return JSON.parse(text) as object;
}
