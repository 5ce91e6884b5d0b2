/** Owns: commit timestamps, stale snapshots, ctx.meta, limits, and time that stands still. Not: the limits' numbers (engine/limits.ts). */
import type { Value } from "convex/values";
import { describe, expect, test } from "vitest";
import { expectedOn, failureOf } from "./world.ts";
import type { CurrentWorld, World } from "./world.ts";

type Logged = { newest: string; inside: string; at: bigint; before: bigint };
const log = async (world: World, name: string): Promise<Logged> =>
  (await world.mutation("moments:log", { name })) as Logged;

export function describeMoments(current: CurrentWorld): void {
  describe("commitTs", () => {
    test("is the largest inside its transaction and the commit's own afterwards", async () => {
      const world = current();
      const first = await log(world, "a");
      const second = await log(world, "b");
      expect([first.newest, second.newest]).toEqual(["a", "b"]);
      expect(second.at > first.at).toBe(true);
      expect(second.before >= first.at && second.before < second.at).toBe(true);
      expect(await world.query("moments:since", { at: first.before })).toEqual([
        { name: "a", at: first.at },
        { name: "b", at: second.at },
      ]);
      expect(await world.query("moments:since", { at: first.at })).toEqual([
        { name: "b", at: second.at },
      ]);
      expect(await world.mutation("moments:ownIsLast")).toEqual(["own"]);
    });

    test("is nanoseconds since 1970", async () => {
      const world = current();
      const { at } = await log(world, "a");
      const { now } = (await world.query("moments:time")) as { now: number };
      expect(Math.abs(Number(at / 1_000_000n) - now)).toBeLessThan(600_000);
    });

    test("is one for all that a transaction writes, nested calls included", async () => {
      const world = current();
      await world.mutation("moments:passesOn");
      const rows = (await world.query("moments:since", { at: 0n })) as {
        name: string;
        at: bigint;
      }[];
      expect(rows.map((row) => row.name)).toEqual(["nested", "own"]);
      expect(new Set(rows.map((row) => row.at)).size).toBe(1);
    });

    test("cannot be handed to a scheduled function before it is known", async () => {
      const { message } = await failureOf(current().mutation("moments:schedulesIt"));
      expect(message).toContain("a scheduled function cannot take an unresolved placeholder value");
    });

    test("in the order of commits, a reader behind a cursor misses nothing", async () => {
      const world = current();
      const names = Array.from({ length: 20 }, (_, i) => `n${i}`);
      await Promise.all(names.map((name) => log(world, name)));
      const found: string[] = [];
      let cursor = 0n;
      for (;;) {
        const rows = (await world.query("moments:since", { at: cursor })) as {
          name: string;
          at: bigint;
        }[];
        const [next] = rows;
        if (next === undefined) break;
        found.push(next.name);
        cursor = next.at;
      }
      expect(found.toSorted()).toEqual(names.toSorted());
    });
  });

  test("a stale-snapshot query does not see the writes of its own mutation, the next one does", async () => {
    const world = current();
    await log(world, "old");
    expect(await world.mutation("moments:stale", { name: "own" })).toEqual({
      own: ["old", "own"],
      stale: ["old"],
      after: ["old", "own"],
    });
    expect(await world.query("moments:names")).toEqual(["old", "own"]);
  });

  describe("ctx.meta", () => {
    test("counts what a transaction has used", async () => {
      const found = (await current().mutation("moments:metrics")) as Record<
        string,
        { used: number; remaining: number }
      >;
      expect(found).toMatchObject({
        documentsRead: { used: 2, remaining: 31_998 },
        documentsWritten: { used: 1, remaining: 15_999 },
        databaseQueries: { used: 2, remaining: 4_094 },
        functionsScheduled: { used: 1, remaining: 999 },
      });
      expect(found["bytesRead"]?.used).toBeGreaterThan(0);
      expect(found["bytesWritten"]?.used).toBeGreaterThan(0);
      expect(found["scheduledFunctionArgsBytes"]?.used).toBeGreaterThan(0);
    });

    test("names the function and its component", async () => {
      expect(await current().mutation("moments:where")).toMatchObject({
        name: "moments:where",
        componentPath: "",
      });
    });

    test("tells of the request, one for an action and all that it calls, and not in queries", async () => {
      const world = current();
      expect(await world.mutation("moments:request")).toMatchObject({
        requestId: expect.stringMatching(/.+/) as string,
        scheduledFunctionId: null,
        authToken: null,
      });
      const { own, nested } = (await world.action("moments:requestOfAction")) as Record<
        string,
        string
      >;
      expect(own).toBe(nested);
      const { message } = await failureOf(world.query("moments:requestInQuery"));
      expect(message).toContain("getRequestMetadata");
    });

    test("tells of the deployment", async () => {
      const told = await current().query("moments:deployment");
      expect(told).toMatchObject({ name: expect.stringMatching(/.+/) as string });
    });
  });

  describe("limits of a transaction", () => {
    const says = async (kind: "query" | "mutation", name: string): Promise<string> =>
      (await failureOf(current()[kind](`moments:${name}`))).message;

    test("index ranges, writes, bytes and scheduled functions are counted, and the limit is named", async () => {
      expect(await says("query", "tooManyRanges")).toMatch(/\(limit: 4096\)/);
      expect(await says("mutation", "tooMuchScheduled")).toMatch(/\(limit: 1000\)/);
      expect(await says("mutation", "tooMuchWritten")).toMatch(
        /Too many bytes written|Wrote too much|written/i,
      );
      expect(await current().query("rows:docs", {})).toEqual([]);
    });

    test("so are documents written", async () => {
      expect(await says("mutation", "tooManyWrites")).toMatch(/\(limit: 16000\)/);
      expect(await current().query("nested:all")).toEqual([]);
    });

    test("a child may be given less than its caller has, and is undone when it takes more", async () => {
      const world = current();
      expect(await world.mutation("moments:limitedChild", { documentsWritten: 3 })).toEqual({
        message: "fits",
        left: 3,
      });
      await world.clear();
      expect(await world.mutation("moments:limitedChild", { documentsWritten: 2 })).toMatchObject({
        message: expect.stringContaining("limit: 2") as string,
        left: 0,
      });
    });
  });

  test("time stands still inside a query, and neither network nor timers can be used", async () => {
    const world = current();
    expect(await world.query("moments:time")).toMatchObject({ stands: true });
    const fetched = await failureOf(world.query("moments:usesFetch"));
    const waited = await failureOf(world.mutation("moments:usesTimer"));
    const words = (name: string): Value =>
      expectedOn(world, {
        convex: `Can't use ${name} in queries and mutations`,
        convexTest: "is not supported in Convex queries or mutations",
        because: "convex-test has wording of its own",
      });
    expect(fetched.message).toContain(words("fetch()"));
    expect(waited.message).toContain(words("setTimeout"));
  });
}
