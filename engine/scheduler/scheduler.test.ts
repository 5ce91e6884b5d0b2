import { expect, onTestFinished, test, vi } from "vitest";
import { TestEngine, onEachStore } from "../application/test-engine.helpers.ts";
import type { ManualClock } from "../clock.helpers.ts";
import { manualClock } from "../clock.helpers.ts";
import type { Storage } from "../storage/storage.ts";
import { startScheduler } from "./scheduler.ts";

const APP = {
  "counter.ts": `
    import { internalMutation, mutation, query, internalAction } from "./_generated/server";
    import { internal } from "./_generated/api";
    export const count = internalMutation({ args: {}, handler: async (ctx) => { await ctx.db.insert("counts", {}); } });
    export const total = query({ args: {}, handler: async (ctx) => (await ctx.db.query("counts").take(100)).length });
    export const later = mutation({ handler: async (ctx, { ms }) => { await ctx.scheduler.runAfter(ms, internal.counter.count, {}); } });
    export const viaAction = mutation({ handler: async (ctx) => { await ctx.scheduler.runAfter(0, internal.counter.act, {}); } });
    export const act = internalAction({ handler: async (ctx) => { await ctx.runMutation(internal.counter.count, {}); } });
    export const chain = mutation({ handler: async (ctx) => {
      const rows = await ctx.db.query("counts").take(100);
      await ctx.db.insert("counts", {});
      if (rows.length < 9) await ctx.scheduler.runAfter(0, internal.counter.chainOn, {});
    } });
    export const chainOn = internalMutation({ handler: async (ctx) => {
      const rows = await ctx.db.query("counts").take(100);
      await ctx.db.insert("counts", {});
      if (rows.length < 9) await ctx.scheduler.runAfter(0, internal.counter.chainOn, {});
    } });`,
  "_generated/server.ts": `
    export { mutationGeneric as mutation, queryGeneric as query, internalMutationGeneric as internalMutation,
      internalActionGeneric as internalAction } from "convex/server";`,
  "_generated/api.ts": `import { anyApi } from "convex/server"; export const internal = anyApi;`,
};
const WITH_CRONS = {
  ...APP,
  "crons.ts": `
    import { cronJobs } from "convex/server";
    import { internal } from "./_generated/api";
    const crons = cronJobs();
    crons.interval("count", { minutes: 1 }, internal.counter.count, {});
    export default crons;`,
};

/** For a busy machine; nothing here waits for it when all is well. */
const PATIENCE = { timeout: 20_000 };

type Running = { engine: TestEngine; clock: ManualClock; stop: () => Promise<void> };

async function run(storage: Storage, clock: ManualClock, files?: typeof APP): Promise<Running> {
  const engine = await TestEngine.open(storage, clock);
  if (files) await engine.deploy(files);
  const problems: string[] = [];
  const scheduler = await startScheduler(engine.application, clock, (what, error) =>
    problems.push(`${what}: ${String(error)}`),
  );
  const stop = async (): Promise<void> => {
    await scheduler.stop();
    expect(problems).toEqual([]);
  };
  onTestFinished(stop);
  return { engine, clock, stop };
}

/** A transaction's time is up to 1 ms ahead of the clock, and real I/O lies between the steps: the clock creeps on. */
async function expectTotal({ engine, clock }: Running, total: number): Promise<void> {
  await vi.waitFor(async () => {
    await clock.advance(1);
    expect(await engine.query("counter:total")).toBe(total);
  }, PATIENCE);
}

onEachStore((newStore) => {
  test("what ctx.scheduler was given runs when it is due, once", async () => {
    const running = await run(newStore()(), manualClock(), APP);
    await running.engine.mutation("counter:later", { ms: 0 });
    await running.engine.mutation("counter:later", { ms: 10_000 });
    await running.engine.mutation("counter:viaAction");
    await expectTotal(running, 2);
    await running.clock.advance(9_000);
    await expectTotal(running, 2);
    await running.clock.advance(1_000);
    await expectTotal(running, 3);
    await running.clock.advance(60_000);
    await expectTotal(running, 3);
  });

  test("a mutation that schedules itself goes on until it stops by itself", async () => {
    const running = await run(newStore()(), manualClock(), APP);
    await running.engine.mutation("counter:chain");
    await expectTotal(running, 10);
    await running.clock.advance(1_000);
    await expectTotal(running, 10);
  });

  test("a pushed cron keeps its beat across a restart", async () => {
    const open = newStore();
    const first = await run(open(), manualClock(), WITH_CRONS);
    await expectTotal(first, 1);
    await first.clock.advance(60_000);
    await expectTotal(first, 2);
    await first.clock.advance(30_000);
    await first.stop();
    const second = await run(open(), first.clock);
    await expectTotal(second, 2);
    await second.clock.advance(30_000);
    await expectTotal(second, 3);
  });
});
