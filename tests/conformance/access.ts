/** Owns: who may read a site's statistics, through every door there is. Not: what is read. */
import { describe, expect, test } from "vitest";
import type { FunctionArgs } from "convex/server";
import { makeFunctionReference } from "convex/server";
import { api, internal } from "../../convex/_generated/api.js";
import { pastOf } from "./past.helpers.ts";
import { DAY, NOON, tell } from "./site.ts";
import type { Site } from "./site.ts";
import type { CreateRuntime } from "./runtime.ts";
import { filter } from "./verdicts.helpers.ts";

const range = { from: NOON - DAY, until: NOON + DAY };

/** Of the link itself: operators have none. */
const OF_LINKS = "filters:shared";

/** Every public function that tells or moves statistics, with arguments that it takes. The walk below finds any other. */
export const READER_QUERIES: Readonly<Record<string, Record<string, unknown>>> = {
  "stats:getStats": {},
  "stats:getHeadline": {},
  "stats:getPanels": {},
  "stats:countOnline": { path: "/a" },
  "stats:listPages": { paginationOpts: { numItems: 5, cursor: null } },
  "stats:countViews": {},
  "stats:countNewVisitors": {},
  "stats:getWorker": {},
  "stats:getHealth": {},
  "reports:summary": { range },
  "reports:timeseries": { range },
  "reports:breakdown": { range, dimension: "path" },
  "reports:events": { range },
  "reports:eventProperties": { range, name: "signup" },
  "reports:engagement": { range },
  "reports:engagedPaths": { range },
  "reports:leftOut": {},
  "reports:annotations": { range },
  "now:onlineByTime": {},
  "now:movements": {},
  "filters:segments": {},
  [OF_LINKS]: {},
};
export const READER_MUTATIONS: Readonly<Record<string, Record<string, unknown>>> = {
  "stats:watch": { watcherId: "reader-1" },
  "stats:settle": {},
  "filters:ask": { range, filter: [{ dimension: "path", operator: "is", values: ["/a"] }] },
};

/** The site's own pages and posts are no statistics. */
const CONTENT = ["content:listPosts", "content:listPages", "content:getDocument"];

/** What visitors send is taken whoever may read; a password is tried by whoever has the link. */
const FOR_ANYBODY = [
  "stats:recordPageView",
  "stats:recordEvent",
  "stats:recordEngagement",
  "stats:heartbeat",
  "stats:leave",
  "tokens:unlock",
];

type Args = FunctionArgs<ReturnType<typeof queryNamed>>;
export const queryNamed = (name: string) =>
  makeFunctionReference<"query", Record<string, unknown>, unknown>(name);
const operatorNamed = (name: string) =>
  makeFunctionReference<"query", Record<string, unknown>, object>(name);
export const mutationNamed = (name: string) =>
  makeFunctionReference<"mutation", Record<string, unknown>, unknown>(name);

export function access(create: CreateRuntime): void {
  describe("who may read", () => {
    test("everybody by default; with a token whoever has it; else nobody, through whichever door", () =>
      tell(create, async (site) => {
        await site.view("/a", "s1");
        await expectAnswers(site, {});
        await site.runtime.mutation(internal.sites.set, { access: "token" });
        const { token, id } = await site.runtime.action(internal.tokens.create, {});
        await expectAnswers(site, { token });
        for (const wrong of [{}, { token: "" }, { token: `${token.slice(0, -1)}x` }]) {
          await expectRefusals(site, wrong);
        }
        await site.runtime.mutation(internal.tokens.revoke, { id });
        await expectRefusals(site, { token });
        await site.runtime.mutation(internal.sites.set, { access: "operator" });
        const second = await site.runtime.action(internal.tokens.create, {});
        await expectRefusals(site, { token: second.token });
        await site.runtime.mutation(internal.operators.settle, {});
        const stats = await site.runtime.query(internal.operators.getStats, {});
        expect(stats.totalPageViews).toBe(1);
        await site.runtime.mutation(internal.sites.set, { access: null });
        await expectAnswers(site, {});
      }));

    test("a token that ends opens nothing from then on, and is listed with its end", () =>
      tell(create, async (site) => {
        await site.runtime.mutation(internal.sites.set, { access: "token" });
        const { token } = await site.runtime.action(internal.tokens.create, { days: 2 });
        await expectAnswers(site, { token });
        const [listed] = await site.runtime.query(internal.tokens.list, {});
        expect(Math.round(((listed?.expiresAt ?? 0) - NOON) / DAY)).toBe(2);
        await site.runtime.advance(2 * DAY + 60_000);
        await expectRefusals(site, { token });
        for (const days of [0, -1, 4_000, Number.NaN]) {
          const made = site.runtime.action(internal.tokens.create, { days });
          await expect(made).rejects.toMatchObject({ data: { code: "invalid_key" } });
        }
      }));

    test("a token with a password opens nothing alone; for both there is one that reads for a day, and goes when it is revoked", () =>
      tell(create, async (site) => {
        await site.runtime.mutation(internal.sites.set, { access: "token" });
        const password = "correct horse";
        const short = site.runtime.action(internal.tokens.create, { password: "short" });
        await expect(short).rejects.toMatchObject({ data: { code: "invalid_key" } });
        const { token, id } = await site.runtime.action(internal.tokens.create, { password });
        const asked = site.runtime.query(api.stats.getStats, { token });
        await expect(asked).rejects.toMatchObject({ data: { code: "password_wanted" } });
        const kept = JSON.stringify(await site.runtime.rows("apiKeys"));
        expect(kept).not.toContain(password);
        const got = await unlock(site, { token, password });
        await expectAnswers(site, { token: got.token });
        await site.runtime.advance(DAY + 60_000);
        await expectRefusals(site, { token: got.token });
        const again = await unlock(site, { token, password });
        expect(await site.runtime.rows("unlockedTokens")).toHaveLength(1);
        const plain = await site.runtime.action(internal.tokens.create, {});
        const wrong = [
          { token, password: "correct hors" },
          { token: `${token.slice(0, -1)}x`, password },
          { token: plain.token, password },
          { token: "", password: "" },
        ];
        for (const tried of wrong) {
          await expect(unlock(site, tried)).rejects.toMatchObject({
            data: { code: "not_allowed" },
          });
        }
        await site.runtime.mutation(internal.tokens.revoke, { id });
        await expectRefusals(site, { token: again.token });
        expect(await site.runtime.rows("unlockedTokens")).toEqual([]);
      }));

    test("who guesses passwords is told to wait, and so is who knows it", () =>
      tell(create, async (site) => {
        await site.runtime.mutation(internal.sites.set, { access: "token" });
        const password = "correct horse";
        const { token } = await site.runtime.action(internal.tokens.create, { password });
        const guesses = Array.from({ length: 10 }, (_, guess) => `guess ${guess}`);
        for (const guess of guesses) {
          const tried = unlock(site, { token, password: guess });
          await expect(tried).rejects.toMatchObject({ data: { code: "not_allowed" } });
        }
        const next = unlock(site, { token, password });
        await expect(next).rejects.toMatchObject({ data: { code: "too_many_tries" } });
        await site.runtime.advance(60_000);
        expect((await unlock(site, { token, password })).token).toMatch(/^fr_/);
      }));

    test("a token opens its own site alone, sends nothing, is shown once and kept as a hash, and goes with its site", () =>
      tell(create, async (site) => {
        await site.runtime.mutation(internal.sites.add, { slug: "docs", access: "token" });
        await site.runtime.mutation(internal.sites.set, { access: "token" });
        const made = await site.runtime.action(internal.tokens.create, { site: "docs" });
        const { token } = made;
        await expectAnswers(site, { token, site: "docs" });
        await expectRefusals(site, { token });
        await site.runtime.mutation(internal.sites.set, { access: "public" });
        for (const passedOver of [token, ""]) await expectAnswers(site, { token: passedOver });
        await site.runtime.mutation(internal.sites.set, { access: "token" });
        const { key } = await site.runtime.action(internal.keys.create, { site: "docs" });
        await expectRefusals(site, { token: key, site: "docs" });
        const headers = { Authorization: `Bearer ${token}` };
        const sent = { method: "POST", body: '{"sessionId":"s","path":"/"}', headers };
        expect((await site.runtime.fetch("/v1/events", sent)).status).toBe(401);
        const rows = JSON.stringify(await site.runtime.rows("apiKeys"));
        expect(rows).not.toContain(token.split("_")[2]);
        const listed = await site.runtime.query(internal.tokens.list, { site: "docs" });
        expect(listed.map(({ id }) => id)).toEqual([made.id]);
        const gone = { site: "docs", confirm: "docs" };
        await site.runtime.mutation(internal.sites.remove, gone);
        await site.runtime.advance(1_100);
        expect(await site.runtime.rows("apiKeys")).toEqual([]);
      }));

    test("who may read is no matter of the site's own work: its proof and its verdicts, and whatever operators ask", () =>
      tell(create, async (site) => {
        for (const path of ["/a", "/b"]) await site.view(path, "s1");
        await site.runtime.mutation(internal.sites.set, { access: "operator" });
        expect(await filter(site, { path: "/a" })).toMatchObject({ state: "done", moved: 1 });
        expect(await pastOf(site).verify()).toMatchObject({ drift: 0, rows: 1 });
        const ofOne: FunctionArgs<typeof internal.operators.makeFilter> = {
          range,
          filter: [{ dimension: "path", operator: "is", values: ["/b"] }],
        };
        expect(await site.runtime.mutation(internal.operators.makeFilter, ofOne)).toBe(true);
        const one = await site.runtime.query(internal.operators.summary, ofOne);
        expect(one).toMatchObject({ views: 1, progress: { done: 1, total: 1 } });
        const { [OF_LINKS]: _none, ...ofOperators } = READER_QUERIES;
        for (const [name, args] of Object.entries(ofOperators)) {
          const [, door] = name.split(":");
          const answer = await site.runtime.query(operatorNamed(`operators:${door}`), args);
          expect(answer, name).toBeDefined();
        }
      }));

    test("hits are taken whoever may read", () =>
      tell(create, async (site) => {
        await site.runtime.mutation(internal.sites.set, { access: "operator" });
        expect(await site.view("/a", "s1")).toEqual({ outcome: "counted" });
        await site.beat("/b", "s1");
        await site.leave("s1");
      }));
  });
}

async function unlock({ runtime }: Site, args: { token: string; password: string }) {
  return await runtime.action(api.tokens.unlock, args);
}

/** Names of public functions that nobody has listed above. `modules` is what convex/ exports, by module. */
export function unguarded(modules: Readonly<Record<string, object>>): string[] {
  const readers = [...Object.keys(READER_QUERIES), ...Object.keys(READER_MUTATIONS)];
  const known = new Set([...readers, ...CONTENT, ...FOR_ANYBODY]);
  return Object.entries(modules).flatMap(([module, exported]) =>
    Object.entries(exported)
      .filter(([, door]) => isPublic(door))
      .map(([name]) => `${module}:${name}`)
      .filter((name) => !known.has(name)),
  );
}

function isPublic(door: unknown): boolean {
  const isDoor = typeof door === "function" || (typeof door === "object" && door !== null);
  return isDoor && "isPublic" in door;
}

async function expectAnswers({ runtime }: Site, asked: Args): Promise<void> {
  for (const [name, args] of Object.entries(READER_QUERIES)) {
    await runtime.query(queryNamed(name), { ...args, ...asked });
  }
  for (const [name, args] of Object.entries(READER_MUTATIONS)) {
    await runtime.mutation(mutationNamed(name), { ...args, ...asked });
  }
}

async function expectRefusals({ runtime }: Site, asked: Args): Promise<void> {
  const refused = { data: { code: "not_allowed" } };
  for (const [name, args] of Object.entries(READER_QUERIES)) {
    const answer = runtime.query(queryNamed(name), { ...args, ...asked });
    await expect(answer, name).rejects.toMatchObject(refused);
  }
  for (const [name, args] of Object.entries(READER_MUTATIONS)) {
    const answer = runtime.mutation(mutationNamed(name), { ...args, ...asked });
    await expect(answer, name).rejects.toMatchObject(refused);
  }
}
