/** Owns: what operators write beside the numbers, and who reads it. Not: drawing it. */
import { describe, expect, test } from "vitest";
import { api, internal } from "../../convex/_generated/api.js";
import { DAY, HOUR, MINUTE, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";

const november30 = { firstDay: "2026-11-30", lastDay: "2026-11-30" };

export function annotations(create: CreateRuntime): void {
  describe("annotations", () => {
    test("of a day, a local moment, an instant or now are told of the range that they are in, in the order of time, as text", () =>
      tell(create, async (site) => {
        await setZone(site, "Europe/Madrid");
        const { at: now } = await add(site, "Now");
        expect(now - NOON).toBeLessThan(MINUTE);
        await add(site, "<b>Half past two</b>", "2026-11-30 14:30");
        await add(site, "  All\nday ", "2026-11-30");
        await add(site, "Midnight in London", "2026-12-01T00:00Z");
        await add(site, "The day before", "2026-11-29");
        expect(await told(site, november30)).toEqual([
          { at: NOON - 13 * HOUR, day: "2026-11-30", text: "All day" },
          { at: now, day: null, text: "Now" },
          { at: NOON + 90 * MINUTE, day: null, text: "<b>Half past two</b>" },
        ]);
        const [newest] = await site.runtime.query(internal.annotations.list, {});
        expect(newest).toMatchObject({ text: "Midnight in London", at: NOON + 12 * HOUR });
        await site.runtime.mutation(internal.annotations.remove, { id: newest?.id ?? "" });
        expect(await site.runtime.query(internal.annotations.list, {})).toHaveLength(4);
        expect(await told(site, { from: NOON + MINUTE, until: NOON + DAY })).toHaveLength(1);
      }));

    test("one of a day stays on it when the time zone changes", () =>
      tell(create, async (site) => {
        await setZone(site, "Pacific/Auckland");
        await add(site, "All day", "2026-11-30");
        for (const zone of ["America/Los_Angeles", "Pacific/Auckland", "UTC"]) {
          await setZone(site, zone);
          expect(await told(site, november30)).toMatchObject([{ day: "2026-11-30" }]);
          expect(await told(site, { firstDay: "2026-11-29", lastDay: "2026-11-29" })).toEqual([]);
        }
      }));

    test("a long one is cut, many on one day are all told, and one too many is refused", () =>
      tell(create, async (site) => {
        await add(site, "x".repeat(5_000), "2026-11-30");
        const many = Array.from({ length: 298 }, (_, place) => ({
          ...{ site: "default", at: NOON + place, text: `Note ${place}` },
        }));
        await site.runtime.insert("annotations", many);
        await add(site, "The last", "2026-11-30");
        const all = await told(site, november30);
        expect(all).toHaveLength(300);
        expect(Math.max(...all.map(({ text }) => text.length))).toBe(200);
        await expectRefusal(add(site, "One more"), /300 annotations/);
      }));

    test("without text, of no day, of another site or of none, they are refused in one sentence", () =>
      tell(create, async (site) => {
        await expectRefusal(add(site, " \n "), /a line of text/);
        for (const on of ["tomorrow", "2026-02-30", "2026-11-30 25:00"]) {
          await expectRefusal(add(site, "Text", on), /is no day or moment in UTC/);
        }
        await site.runtime.mutation(internal.sites.add, { slug: "docs" });
        const { id } = await add(site, "Text");
        const remove = (asked: { site?: string; id: string }) =>
          site.runtime.mutation(internal.annotations.remove, asked);
        await expectRefusal(remove({ site: "docs", id }), /has no annotation/);
        await expectRefusal(remove({ id: "no id" }), /has no annotation/);
        const ofDocs = { site: "docs", range: november30 };
        expect(await site.runtime.query(api.reports.annotations, ofDocs)).toEqual([]);
        const range = { firstDay: "2026-11-30", lastDay: "2026-11-01" };
        await expect(told(site, range)).rejects.toMatchObject({ data: { code: "invalid_range" } });
      }));
  });
}

type Range = { firstDay: string; lastDay: string } | { from: number; until: number };

function told(site: Site, range: Range) {
  return site.runtime.query(api.reports.annotations, { range });
}

function add(site: Site, text: string, on?: string) {
  const when = on === undefined ? {} : { on };
  return site.runtime.mutation(internal.annotations.add, { text, ...when });
}

async function setZone(site: Site, timeZone: string): Promise<void> {
  await site.runtime.mutation(internal.sites.ensureDefault, { timeZone });
}

async function expectRefusal(call: Promise<unknown>, message: RegExp): Promise<void> {
  await expect(call).rejects.toMatchObject({ data: { code: "invalid_annotation" } });
  await expect(call).rejects.toThrow(message);
}
