/** Owns: scheduling, cancelling, failing, crons. Not: exactly once over a crash (engine/scheduler, engine/application/jobs.test.ts). */
import type { Value } from "convex/values";
import { describe, expect, test } from "vitest";
import { doneOn, expectedOn, failureOf } from "./world.ts";
import type { Args, CurrentWorld, World } from "./world.ts";

const NEVER_MS = 3_600_000;

const after = async (world: World, name: string, args: Args, ms = 0): Promise<string> =>
  (await world.mutation("jobs:after", { ms, name, args })) as string;

const endOf = async (world: World, id: string): Promise<Value> => {
  const ended = await world.until("jobs:job", { id }, (job) => {
    const { state } = job as { state: string };
    return state !== "pending" && state !== "inProgress";
  });
  return (ended as { state: string }).state;
};

/** Runs a job behind all that is due, so that what did not run by then does not run. */
async function othersHadTheirTurn(world: World): Promise<void> {
  await endOf(world, await after(world, "work", { text: "last" }));
}

export function describeScheduled(current: CurrentWorld): void {
  test("a scheduled mutation waits, runs once, and its row says so", async () => {
    const world = current();
    const waiting = await after(world, "work", { text: "never", big: 5n }, NEVER_MS);
    expect(await world.query("jobs:job", { id: waiting })).toEqual({
      name: expectedOn(world, {
        convex: "jobs.js:work",
        convexTest: "jobs:work",
        because:
          "convex-test keeps the name as it was called; Convex stores the canonical path of the module",
      }),
      args: [{ text: "never", big: 5n }],
      state: "pending",
    });
    const id = await after(world, "work", { text: "now" });
    expect(await endOf(world, id)).toBe("success");
    expect(await world.query("jobs:done")).toEqual(["now"]);
  });

  test("runAt is a moment; one in the past is due at once", async () => {
    const world = current();
    const args = { text: "past" };
    const id = (await world.mutation("jobs:at", { inMs: -5_000, name: "work", args })) as string;
    expect(await endOf(world, id)).toBe("success");
  });

  test("a job that schedules itself goes on to its end", async () => {
    const world = current();
    await after(world, "again", { left: 3 });
    const done = await world.until("jobs:done", {}, (texts) =>
      (texts as string[]).includes("left 0"),
    );
    expect(done).toEqual(["left 3", "left 2", "left 1", "left 0"]);
  });

  test("a mutation that fails has scheduled nothing, a child that fails neither", async () => {
    const world = current();
    const jobs = async (): Promise<number> =>
      ((await world.query("rows:system", { table: "_scheduled_functions" })) as unknown[]).length;
    const before = await jobs();
    await failureOf(world.mutation("jobs:afterThenFail", { text: "lost" }));
    await world.mutation("jobs:childFails", { text: "lost" });
    expect(await jobs()).toBe(before);
    await doneOn<unknown>(world, {
      convex: () => othersHadTheirTurn(world),
      convexTest: () => world.query("jobs:done"),
      because:
        "convex-test starts its timer when the mutation schedules (1.0/schedule), and the job that was rolled back then fails with an error of its own; Convex commits the job with the mutation",
    });
    const done = (await world.query("jobs:done")) as string[];
    expect(done.filter((text) => text !== "last")).toEqual(["parent"]);
  });

  test("a job that is cancelled does not run, whoever cancels it", async () => {
    const world = current();
    const ids = [
      await after(world, "work", { text: "a" }, NEVER_MS),
      await after(world, "work", { text: "b" }, NEVER_MS),
    ] as const;
    await world.mutation("jobs:cancel", { id: ids[0] });
    await world.action("jobs:cancelFromAction", { id: ids[1] });
    const own = (await world.mutation("jobs:afterAndCancel", { text: "c" })) as string;
    for (const id of [...ids, own])
      expect(await world.query("jobs:job", { id })).toMatchObject({ state: "canceled" });
    await othersHadTheirTurn(world);
    expect(await world.query("jobs:done")).toEqual(["last"]);
  });

  test("cancelling a job that is done changes nothing", async () => {
    const world = current();
    const id = await after(world, "work", { text: "done" });
    await endOf(world, id);
    await world.mutation("jobs:cancel", { id });
    expect(await world.query("jobs:job", { id })).toMatchObject({
      state: expectedOn(world, {
        convex: "success",
        convexTest: "canceled",
        because: "convex-test overwrites the state; Convex leaves a finished job as it is",
      }),
    });
  });

  test("a job that fails is marked with its error and leaves nothing else", async () => {
    const world = current();
    const id = await after(world, "failing", {});
    expect(await endOf(world, id)).toBe("failed");
    expect(await world.query("jobs:jobError", { id })).toEqual(
      expectedOn<unknown>(world, {
        convex: expect.stringContaining("ConvexError"),
        convexTest: null,
        because: "convex-test keeps no error on the row (runScheduledFunction)",
      }),
    );
    expect(await world.query("jobs:done")).toEqual([]);
  });

  test("a scheduled action runs; what it committed before it failed stays", async () => {
    const world = current();
    expect(await endOf(world, await after(world, "acting", { text: "good" }))).toBe("success");
    expect(await endOf(world, await after(world, "actingThenFailing", { text: "kept" }))).toBe(
      "failed",
    );
    expect(await world.query("jobs:done")).toEqual(["good", "kept"]);
  });

  test("an action schedules too", async () => {
    const world = current();
    const id = (await world.action("jobs:fromAction", { text: "from an action" })) as string;
    expect(await endOf(world, id)).toBe("success");
  });

  test("a query cannot be scheduled", async () => {
    const world = current();
    const refused = doneOn<string>(world, {
      convex: () => failureOf(world.mutation("jobs:aQuery")).then(({ message }) => message),
      convexTest: () =>
        world.mutation("jobs:aQuery").then(() => "only mutations and actions can be scheduled"),
      because:
        "convex-test schedules anything; Convex schedules mutations and actions alone (the types of ctx.scheduler)",
    });
    expect(await refused).toContain("only mutations and actions can be scheduled");
  });

  describe("crons", () => {
    test("run by themselves, again and again, with their arguments", async () => {
      const world = current();
      await world.setVariable("TEST_BEAT", "on");
      const beats = doneOn<Value>(world, {
        convex: () => world.until("jobs:done", {}, (texts) => (texts as string[]).length >= 2),
        convexTest: () => othersHadTheirTurn(world).then(() => ["beat", "beat"]),
        because: "convex-test does not look at crons.ts",
      });
      const texts = (await beats) as string[];
      expect(texts.slice(0, 2)).toEqual(["beat", "beat"]);
    });

    test("of a component run too", async () => {
      const world = current();
      const ticks = doneOn<Value>(world, {
        convex: () => world.until("nested:ticks", {}, (count) => Number(count) >= 1),
        convexTest: () => othersHadTheirTurn(world).then(() => 1),
        because: "convex-test does not look at crons.ts",
      });
      expect(Number(await ticks)).toBeGreaterThanOrEqual(1);
    });
  });
}
