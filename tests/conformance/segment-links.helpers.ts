/** Owns: a site with a segment, what happens in it always, and what happens outside of it. Not: expectations. */
import { internal } from "../../convex/_generated/api.js";
import type { Condition } from "../../domain/filters/filter.ts";
import { parseFilter } from "../../domain/filters/text.ts";
import { engagementOn } from "./engagement.helpers.ts";
import { pastOf } from "./past.helpers.ts";
import { HOUR, MINUTE } from "./site.ts";
import type { Site } from "./site.ts";

export const NAME = "Readers in Madrid";
export const SEGMENT = "timeZone:is:Europe/Madrid";
/** The same visits, told by their pages: strangers see others. */
export const OF_PAGES = "path:is:/a|/b|/c";
export const RANGE = { firstDay: "2026-11-30", lastDay: "2026-12-01" };

const MADRID = { timeZone: "Europe/Madrid" };
const KATHMANDU = { timeZone: "Asia/Kathmandu", referrer: "https://elsewhere.example/" };

/** `when`: after which of the things that happen inside. */
export type Outside = {
  when: number;
  who: string;
  what: "view" | "event" | "beat" | "leave" | "engagement";
  path: string;
};

export const OUTSIDE: readonly Outside[] = [
  { when: 0, who: "stranger-0", what: "view", path: "/out" },
  { when: 0, who: "stranger-0", what: "event", path: "/out" },
  { when: 1, who: "stranger-1", what: "view", path: "/a" },
  { when: 2, who: "stranger-0", what: "view", path: "/a" },
  { when: 2, who: "stranger-0", what: "engagement", path: "/a" },
  { when: 3, who: "stranger-1", what: "view", path: "/out" },
  { when: 3, who: "stranger-1", what: "beat", path: "/b" },
];

/** Two days of the segment, and the strangers of both; the clock ends on the second, with all counted. */
export async function playWorld(
  site: Site,
  outside: readonly Outside[],
  filter = SEGMENT,
): Promise<void> {
  const { runtime } = site;
  await runtime.mutation(internal.segments.add, { name: NAME, filter });
  const inside = [
    () => site.view("/a", "s1", MADRID),
    () => site.view("/b", "s1", MADRID),
    () => site.event("signup", "s1", { path: "/b", properties: { plan: "pro" } }),
    async () => {
      await site.view("/a", "s2", MADRID);
      await runtime.advance(13 * HOUR);
      await site.view("/a", "s1", MADRID);
      await site.view("/c", "s1", MADRID);
    },
  ];
  for (const [when, happens] of inside.entries()) {
    await happens();
    for (const what of outside) if (what.when === when) await happen(site, what);
    await runtime.advance(2 * MINUTE);
  }
  await pastOf(site).work();
  await rested(site);
}

async function happen(site: Site, { who, what, path }: Outside): Promise<void> {
  const eventId = `${who} ${path}`.replaceAll(/\W/g, "-");
  switch (what) {
    case "view":
      await site.view(path, who, { ...KATHMANDU, eventId });
      return;
    case "event":
      await site.event("sale", who, { path, properties: { amount: 7 } });
      return;
    case "beat":
      await site.beat(path, who);
      return;
    case "leave":
      await site.leave(who);
      return;
    case "engagement":
      await engagementOn(site).report(who, path, { viewId: eventId, engagedMs: 20_000 });
      return;
  }
  what satisfies never;
}

/** From now on the site wants a token; this one shows the segment alone. */
export async function linkTo({ runtime }: Site): Promise<string> {
  await runtime.mutation(internal.sites.set, { access: "token" });
  return (await runtime.action(internal.tokens.create, { segment: NAME })).token;
}

/** Lets the worker and the filters' work run until nothing is left. */
export async function rested({ runtime }: Site): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) {
    const { isSettled } = await runtime.mutation(internal.operators.settle, {});
    await runtime.advance(1_000);
    const [work] = await runtime.rows("filterWork");
    if (isSettled && work?.["nextStep"] === undefined) return;
  }
  throw new Error("The work on the filters does not end.");
}

export function filters(text: string): Condition[] {
  const filter = parseFilter(text);
  if (filter === null) throw new Error(`"${text}" is no filter.`);
  return filter;
}
