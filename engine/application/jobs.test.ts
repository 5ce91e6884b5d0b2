import { expect, test } from "vitest";
import { TestEngine, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "jobs.ts": `
    import { mutationGeneric as mutation, internalMutationGeneric as internalMutation, queryGeneric as query,
      actionGeneric as action, internalActionGeneric as internalAction, anyApi } from "convex/server";
    const api = anyApi;
    export const later = mutation((ctx, { name, ms }) => ctx.scheduler.runAfter(ms, api.jobs[name], { n: 1n }));
    export const laterThenThrow = mutation(async (ctx) => {
      await ctx.scheduler.runAfter(0, api.jobs.work, { n: 1n });
      throw new Error("no");
    });
    export const cancel = mutation((ctx, { id }) => ctx.scheduler.cancel(id));
    export const state = query(async (ctx, { id }) => {
      const job = await ctx.db.system.get("_scheduled_functions", id);
      return job && { name: job.name, args: job.args, ...job.state };
    });
    export const work = internalMutation(async (ctx, { n }) => {
      await ctx.db.insert("done", { n });
      const { scheduledFunctionId, ip } = await ctx.meta.getRequestMetadata();
      await ctx.db.insert("seen", { scheduledFunctionId, ip });
    });
    export const fails = internalMutation(async (ctx) => { await ctx.db.insert("done", { n: 0n }); throw new Error("broken"); });
    export const act = internalAction(async (ctx, { n }) => { await ctx.runMutation(api.jobs.work, { n }); });
    export const actFails = internalAction(async () => { throw new Error("broken"); });
    export const fromAction = action((ctx) => ctx.scheduler.runAfter(5, api.jobs.work, { n: 2n }));
    export const done = query(async (ctx) => (await ctx.db.query("done").collect()).map((row) => row.n));
    export const pending = query(async (ctx) => (await ctx.db.system.query("_scheduled_functions").collect()).length);`,
};

const dueNow = (
  engine: TestEngine,
  limit = 10,
): ReturnType<TestEngine["application"]["scheduled"]["due"]> =>
  engine.application.scheduled.due(engine.clock.now(), limit);

async function theJob(engine: TestEngine): Promise<ReturnType<typeof dueNow>["jobs"][number]> {
  await engine.clock.advance(10);
  const [job] = dueNow(engine).jobs;
  if (job === undefined) expect.fail("no job is due");
  return job;
}

onEachStore((newStore) => {
  test("a scheduled mutation is due at its time and runs exactly once", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    let announced = 0;
    engine.application.scheduled.onScheduled(() => announced++);
    const id = await engine.mutation("jobs:later", { name: "work", ms: 10 });
    expect(announced).toBe(1);
    expect(dueNow(engine)).toEqual({
      jobs: [],
      nextDueAt: expect.closeTo(engine.clock.now() + 10, 0) as number,
    });
    const job = await theJob(engine);
    expect(job).toMatchObject({ id, target: { componentPath: "", path: "jobs:work" } });
    expect(engine.application.scheduled.kind(job)).toBe("mutation");
    const pending = { kind: "pending", name: "jobs.js:work", args: [{ n: 1n }] };
    expect(await engine.query("jobs:state", { id })).toEqual(pending);
    const results = await Promise.all(
      [1, 2].map(() => engine.application.scheduled.runMutation(job)),
    );
    expect(results).toMatchObject([{ ok: true }, null]);
    expect(await engine.query("jobs:done")).toEqual([1n]);
    expect(await engine.query("jobs:state", { id })).toEqual({ ...pending, kind: "success" });
    expect(dueNow(engine)).toEqual({ jobs: [], nextDueAt: null });
  });

  test("a mutation that fails schedules nothing; a job that is cancelled does not run", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    await engine.failure("mutation", "jobs:laterThenThrow");
    expect(dueNow(engine)).toEqual({ jobs: [], nextDueAt: null });
    const id = await engine.mutation("jobs:later", { name: "work", ms: 0 });
    const job = await theJob(engine);
    await engine.mutation("jobs:cancel", { id });
    expect(await engine.application.scheduled.runMutation(job)).toBeNull();
    expect(await engine.query("jobs:state", { id })).toMatchObject({ kind: "canceled" });
    expect(await engine.query("jobs:done")).toEqual([]);
  });

  test("a job that fails is marked with its error, once, and leaves nothing else", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const id = await engine.mutation("jobs:later", { name: "fails", ms: 0 });
    const result = await engine.application.scheduled.runMutation(await theJob(engine));
    expect(result).toMatchObject({ ok: false });
    expect(await engine.query("jobs:state", { id })).toMatchObject({
      kind: "failed",
      error: expect.stringContaining("Uncaught Error: broken") as string,
    });
    expect(await engine.query("jobs:done")).toEqual([]);
    expect(dueNow(engine).jobs).toEqual([]);
  });

  test("an action runs at most once: what had begun when the process died is marked failed", async () => {
    const openStore = newStore();
    const engine = await TestEngine.open(openStore());
    await engine.deploy(APP);
    const id = await engine.mutation("jobs:later", { name: "act", ms: 0 });
    const job = await theJob(engine);
    void engine.application.scheduled.runAction(job);
    await engine.application.transact(() => null);
    const again = await TestEngine.open(openStore(), engine.clock);
    expect(await again.application.scheduled.failInterrupted()).toBeLessThanOrEqual(1);
    expect(await again.query("jobs:state", { id })).toMatchObject({
      kind: expect.not.stringMatching("pending|inProgress") as string,
    });
    expect(dueNow(again).jobs).toEqual([]);
    expect(await again.application.scheduled.runAction(job)).toBeNull();
    await again.application.close();
  });

  test("actions: success, failure, and scheduling from an action", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const good = await engine.mutation("jobs:later", { name: "act", ms: 0 });
    expect(await engine.application.scheduled.runAction(await theJob(engine))).toMatchObject({
      ok: true,
    });
    expect(await engine.query("jobs:state", { id: good })).toMatchObject({ kind: "success" });
    const bad = await engine.mutation("jobs:later", { name: "actFails", ms: 0 });
    expect(await engine.application.scheduled.runAction(await theJob(engine))).toMatchObject({
      ok: false,
    });
    expect(await engine.query("jobs:state", { id: bad })).toMatchObject({ kind: "failed" });
    await engine.action("jobs:fromAction");
    await engine.application.scheduled.runMutation(await theJob(engine));
    expect(await engine.query("jobs:done")).toEqual([1n, 2n]);
  });

  test("jobs survive the process, oldest first, and a limit is kept", async () => {
    const openStore = newStore();
    const engine = await TestEngine.open(openStore());
    await engine.deploy(APP);
    for (const ms of [30, 10, 20]) await engine.mutation("jobs:later", { name: "work", ms });
    const again = await TestEngine.open(openStore(), engine.clock);
    await again.clock.advance(100);
    const { jobs, nextDueAt } = dueNow(again, 2);
    expect(jobs.map((job) => job.dueAt)).toEqual(
      [...jobs.map((job) => job.dueAt)].sort((a, b) => a - b),
    );
    expect(jobs).toHaveLength(2);
    expect(nextDueAt).toBeGreaterThan(jobs[1]?.dueAt ?? Infinity);
    await again.application.close();
  });

  test("finished jobs go away after a day, so that a worker that schedules itself does not fill the disk", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const runOne = async (): Promise<void> => {
      await engine.mutation("jobs:later", { name: "work", ms: 0 });
      await engine.application.scheduled.runMutation(await theJob(engine));
    };
    for (let i = 0; i < 6; i++) await runOne();
    await engine.clock.advance(25 * 3_600_000);
    for (let i = 0; i < 3; i++) await runOne();
    expect(await engine.query("jobs:pending")).toBe(3);
  });
});
