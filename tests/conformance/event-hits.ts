/** Owns: how custom events arrive: from a Convex client, over HTTP, from a server; what is clamped, refused and filtered. Not: what they count (events.ts). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { BOT, DAY, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

const EVENT = { kind: "event", sessionId: "s1", path: "/a", name: "signup", eventId: "e1" };
const RANGE = { from: NOON - DAY, until: NOON + 2 * DAY };

export function eventHits(create: CreateRuntime): void {
  describe("events over HTTP", () => {
    test("are counted from a body, an image's address and a server, each once", () =>
      tell(create, async (site) => {
        const { key } = await site.runtime.action(internal.keys.create, { site: "default" });
        const body = { ...EVENT, properties: { plan: "pro", größe: 1, __proto__x: true } };
        const get = new URLSearchParams({
          ...{ kind: "event", sessionId: "s2", path: "/a", name: "signup", eventId: "e2" },
          ...{ properties: '{"plan":"pro"}', interactive: "false" },
        });
        const server = { ...EVENT, sessionId: "s3", country: "PT" };
        for (const wanted of ["counted", "duplicate"]) {
          expect(outcomeOf(await post(site, body))).toBe(wanted);
          const image = await site.runtime.fetch(`/e?v=1&${String(get)}`, { method: "GET" });
          expect(outcomeOf(image)).toBe(wanted);
          const answer = await site.runtime.fetch("/v1/events", {
            method: "POST",
            headers: { Authorization: `Bearer ${key}` },
            body: JSON.stringify([server, { sessionId: "s3", path: "/a", eventId: "v1" }]),
          });
          expect(await answer.json()).toEqual({
            outcomes: [{ outcome: wanted }, { outcome: wanted }],
          });
        }
        const rows = await site.runtime.rows("events");
        expect(rows.map(({ sessionId, isPassive }) => [sessionId, isPassive])).toEqual([
          ["s1", undefined],
          ["s2", true],
          ["s3", undefined],
        ]);
        await site.settleReports();
        const asked = { range: RANGE, name: "signup" };
        const { properties } = await site.runtime.query(api.reports.eventProperties, asked);
        expect(properties.map(({ key: name, events }) => [name, events])).toEqual([
          ["plan", 2],
          ["__proto__x", 1],
          ["größe", 1],
        ]);
      }));

    test("one that is not understood is one sentence, and leaves nothing", () =>
      tell(create, async (site) => {
        const bad: [object, RegExp][] = [
          [{ name: undefined }, /"name" is missing; wanted what happened/],
          [{ name: 1 }, /"name" is no text/],
          [{ name: " \n" }, /"name" is " \\n"; wanted what happened/],
          [{ properties: [] }, /"properties" is no object/],
          [{ properties: "plan" }, /"properties" is no object/],
          [{ properties: { plan: {} } }, /The property "plan" is \{\}; wanted/],
          [{ properties: { plan: ["a"] } }, /The property "plan" is \["a"\]/],
          [{ interactive: "yes" }, /"interactive" is neither true nor false/],
          [{ eventId: "é" }, /eventId is not valid/],
          [{ sessionId: "" }, /sessionId is not valid/],
          [{ path: undefined }, /"path" is missing/],
          [{ site: "none" }, /Site "none" is unknown/],
        ];
        for (const [fields, sentence] of bad) {
          const answer = await post(site, { ...EVENT, ...fields });
          expect([answer.status, answer.headers.get("X-Footfall")]).toEqual([400, null]);
          const text = await answer.text();
          expect(text).toMatch(sentence);
          expect(text.trim()).not.toContain("\n");
        }
        for (const table of ["events", "visitors", "filteredHits", "wake"])
          expect(await site.runtime.rows(table)).toEqual([]);
      }));

    test("what is too long is clamped, and of too many properties the first are kept", () =>
      tell(create, async (site) => {
        const many = Array.from(
          { length: 31 },
          (_, place) => [`k${place}`, "v".repeat(301)] as const,
        );
        const properties = { none: null, ...Object.fromEntries(many) };
        const answer = await post(site, { ...EVENT, name: "n".repeat(65), properties });
        expect(outcomeOf(answer)).toBe("counted");
        const [row] = await site.runtime.rows("events");
        expect(row?.name).toBe("n".repeat(64));
        const stored = JSON.parse(String(row?.properties)) as [string, string][];
        expect(stored.map(([key]) => key)).toEqual(many.slice(0, 30).map(([key]) => key));
        expect(stored.every(([, value]) => value === "v".repeat(300))).toBe(true);
      }));

    test("whatever is sent is counted, or one sentence: never our fault, never half stored", () =>
      tell(create, async (site) => {
        const texts = fc.oneof(
          fc.string({ unit: "binary", maxLength: 80 }),
          fc.constantFrom("__proto__", "constructor", "\uD83D", "$a", "_id", "", "a\u0000b"),
        );
        const values = fc.oneof(texts, fc.double(), fc.boolean(), fc.constant(null), fc.object());
        const bodies = fc.record({
          name: fc.oneof({ weight: 4, arbitrary: texts }, { weight: 1, arbitrary: values }),
          properties: fc.oneof(fc.dictionary(texts, values, { maxKeys: 40 }), values),
          interactive: fc.oneof(fc.boolean(), fc.constant(undefined), values),
        });
        let counted = 0;
        await fc.assert(
          fc.asyncProperty(bodies, async (fields) => {
            const answer = await post(site, { ...EVENT, eventId: undefined, ...fields });
            expect([204, 400]).toContain(answer.status);
            if (answer.status === 204) counted += 1;
            else expect((await answer.text()).trim()).toMatch(/^[^\n]{10,400}$/);
          }),
          { numRuns: 60 },
        );
        await site.settleReports();
        const { rows } = await site.runtime.query(api.reports.events, { range: RANGE, limit: 99 });
        expect(rows.reduce((sum, { events }) => sum + events, 0)).toBe(counted);
        expect(await site.runtime.rows("events")).toHaveLength(counted);
        expect(await site.runtime.rows("quarantine")).toEqual([]);
      }));

    test("a bot's, one from an unknown host and one of a path that is left out are filtered as views are, and kept as what they are", () =>
      tell(create, async (site) => {
        const settings = { hosts: ["blog.example"], pathRules: { exclude: ["/admin/**"] } };
        await site.runtime.mutation(internal.sites.set, settings);
        const home = { host: "blog.example" };
        const properties = { plan: "pro" };
        const sent = [
          await site.event("signup", "s1", { ...home, userAgent: BOT, properties }),
          await site.event("signup", "s1", { host: "copy.example" }),
          await site.event("signup", "s1", { ...home, path: "/admin/a" }),
        ];
        expect(sent).toEqual(
          ["bot", "unknown site", "excluded path"].map((reason) => ({
            outcome: "filtered",
            reason,
          })),
        );
        const kept = await site.runtime.rows("filteredHits");
        expect(kept.map(({ event }) => event)).toMatchObject([
          { name: "signup", properties: '[["plan","pro"]]' },
          { name: "signup" },
          { name: "signup" },
        ]);
        expect(await site.runtime.rows("events")).toEqual([]);
        expect(await site.event("signup", "s1", home)).toEqual({ outcome: "counted" });
      }));
  });
}

function post(site: Site, body: object): Promise<Response> {
  return site.runtime.fetch("/e", { method: "POST", body: JSON.stringify(body) });
}

function outcomeOf(answer: Response): string | null {
  return answer.headers.get("X-Footfall");
}
