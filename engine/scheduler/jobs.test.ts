import { describe, expect, test, vi } from "vitest";
import { manualClock, settle } from "../clock.helpers.ts";
import type { ManualClock } from "../clock.helpers.ts";
import { MAX_CONCURRENT_ACTIONS, MAX_CONCURRENT_JOBS } from "../limits.ts";
import { JobRunner } from "./jobs.ts";
import { emptyDisk, fakeApplication } from "./scheduler.helpers.ts";
import type { FakeApplication, FakeDisk, FakeFunction } from "./scheduler.helpers.ts";

const JOB_FUNCTIONS: Record<string, FakeFunction> = {
  "m:run": { kind: "mutation" },
  "a:run": { kind: "action" },
};
const ACTION = { componentPath: "", path: "a:run" };

type World = { disk: FakeDisk; clock: ManualClock; problems: string[] };
type Started = { application: FakeApplication; runner: JobRunner };

const newWorld = (): World => ({ disk: emptyDisk(), clock: manualClock(0), problems: [] });

async function start(
  world: World,
  more: { functions?: Record<string, FakeFunction>; diesAtStep?: number } = {},
): Promise<Started> {
  const application = fakeApplication({ functions: JOB_FUNCTIONS, ...world, ...more });
  const runner = new JobRunner(application, world.clock, (what, error) =>
    world.problems.push(`${what}: ${String(error)}`),
  );
  void runner.start();
  await settle();
  return { application, runner };
}

test("a job runs when it is due, not before", async () => {
  const world = newWorld();
  const { application } = await start(world);
  application.schedule({ id: "later", dueAt: 5_000 });
  application.schedule({ id: "now", dueAt: 0 });
  await settle();
  expect(world.disk.ran).toEqual(["m:run at 0"]);
  await world.clock.advance(4_999);
  expect(world.disk.ran).toHaveLength(1);
  await world.clock.advance(1);
  expect(world.disk.ran).toEqual(["m:run at 0", "m:run at 5000"]);
});

test("a job that is scheduled for earlier than all others moves the alarm forward", async () => {
  const world = newWorld();
  const { application } = await start(world);
  application.schedule({ id: "b", dueAt: 50_000 });
  application.schedule({ id: "a", dueAt: 10_000 });
  await world.clock.advance(10_000);
  expect(world.disk.ran).toEqual(["m:run at 10000"]);
});

test("a job in a month, longer than a timer of Node can wait, runs in a month", async () => {
  const world = newWorld();
  const { application } = await start(world);
  const dueAt = 30 * 86_400_000;
  application.schedule({ id: "far", dueAt });
  await world.clock.advance(dueAt - 1);
  expect(world.disk.ran).toEqual([]);
  await world.clock.advance(1);
  expect(world.disk.ran).toEqual([`m:run at ${dueAt}`]);
});

test("jobs that were due while nothing ran begin at the start", async () => {
  const world = newWorld();
  fakeApplication({ ...world, functions: JOB_FUNCTIONS }).schedule({ id: "old", dueAt: -5_000 });
  await start(world);
  expect(world.disk.ran).toEqual(["m:run at 0"]);
});

test("a cancelled job does not run", async () => {
  const world = newWorld();
  const { application } = await start(world);
  application.schedule({ id: "a", dueAt: 1_000 });
  const job = world.disk.jobs.get("a");
  if (job) job.state = "canceled";
  await world.clock.advance(2_000);
  expect(world.disk.ran).toEqual([]);
});

test("a job whose function is gone is handed over once, so that it gets marked", async () => {
  const world = newWorld();
  const { application } = await start(world);
  application.schedule({ id: "a", dueAt: 0, target: { componentPath: "", path: "gone:run" } });
  await world.clock.advance(120_000);
  expect(world.disk.jobs.get("a")?.state).toBe("done");
});

describe("at once", () => {
  async function startMany(
    path: string,
    count: number,
  ): Promise<{ world: World; peak: () => number }> {
    const world = newWorld();
    let running = 0;
    let peak = 0;
    const run = async (): Promise<void> => {
      running++;
      peak = Math.max(peak, running);
      await settle();
      running--;
    };
    const kind = path === "a:run" ? "action" : "mutation";
    const { application } = await start(world, { functions: { [path]: { kind, run } } });
    for (let i = 0; i < count; i++) {
      application.schedule({ id: `j${i}`, dueAt: 0, target: { componentPath: "", path } });
    }
    await vi.waitFor(() => expect(world.disk.ran).toHaveLength(count), { timeout: 20_000 });
    return { world, peak: () => peak };
  }

  test("only so many mutations run, and all of them in the end", async () => {
    const { peak } = await startMany("m:run", 100);
    expect(peak()).toBe(MAX_CONCURRENT_JOBS);
  });

  test("only so many actions run, and all of them in the end", async () => {
    const { peak } = await startMany("a:run", 200);
    expect(peak()).toBe(MAX_CONCURRENT_ACTIONS);
  });

  test("actions that take for ever do not hold up mutations", async () => {
    const world = newWorld();
    const forever = new Promise<void>(() => {});
    const { application } = await start(world, {
      functions: { ...JOB_FUNCTIONS, "a:run": { kind: "action", run: () => forever } },
    });
    for (let i = 0; i < MAX_CONCURRENT_ACTIONS + 20; i++) {
      application.schedule({ id: `a${i}`, dueAt: 0, target: ACTION });
    }
    application.schedule({ id: "m", dueAt: 0 });
    await settle();
    expect(world.disk.jobs.get("m")?.state).toBe("done");
  });
});

describe("a crash at any step", () => {
  async function runWithCrash(path: string, diesAtStep: number): Promise<World> {
    const world = newWorld();
    const { application } = await start(world, { diesAtStep });
    application.schedule({ id: "job", dueAt: 0, target: { componentPath: "", path } });
    await settle();
    await start(world);
    return world;
  }
  async function stepsOf(path: string): Promise<number> {
    const { application } = await start(newWorld());
    application.schedule({ id: "job", dueAt: 0, target: { componentPath: "", path } });
    await settle();
    return application.stepCount;
  }

  test("leaves a mutation run exactly once", async () => {
    const steps = await stepsOf("m:run");
    for (let step = 1; step <= steps; step++) {
      const { disk } = await runWithCrash("m:run", step);
      expect(disk.ran, `dies at step ${step}`).toHaveLength(1);
      expect(disk.jobs.get("job")?.state).toBe("done");
    }
  });

  test("leaves an action run at most once, and marked done or failed", async () => {
    const steps = await stepsOf("a:run");
    const states = new Set<string | undefined>();
    for (let step = 1; step <= steps; step++) {
      const { disk } = await runWithCrash("a:run", step);
      expect(disk.ran.length, `dies at step ${step}`).toBeLessThanOrEqual(1);
      states.add(disk.jobs.get("job")?.state);
    }
    expect(states).toEqual(new Set(["done", "failed"]));
  });
});

test("when the engine fails to run a job it tries again, less and less often, and goes on with others", async () => {
  const world = newWorld();
  let failures = 2;
  const run = vi.fn(async () => {
    if (failures-- > 0) throw new Error("disk full");
  });
  const { application } = await start(world, { functions: { "m:run": { kind: "mutation", run } } });
  application.schedule({ id: "a", dueAt: 0 });
  await settle();
  expect(run).toHaveBeenCalledTimes(1);
  await world.clock.advance(1_000);
  expect(run).toHaveBeenCalledTimes(2);
  await world.clock.advance(1_999);
  expect(run).toHaveBeenCalledTimes(2);
  await world.clock.advance(1);
  expect(world.disk.ran).toEqual(["m:run at 3000"]);
  expect(world.problems[0]).toBe("The scheduled function m:run could not be run: Error: disk full");
});

test("a mutation whose commit the store has lost is tried again later, not at once for ever", async () => {
  const world = newWorld();
  const { application } = await start(world, {
    functions: { "m:run": { kind: "mutation", losesCommits: 2 } },
  });
  application.schedule({ id: "a", dueAt: 0 });
  await world.clock.advance(999);
  expect(world.problems).toHaveLength(1);
  await world.clock.advance(2_001);
  expect(world.disk.ran).toEqual(["m:run at 3000"]);
});

test("while more is due than may run, the alarm does not ring without end", async () => {
  const world = newWorld();
  const forever = new Promise<void>(() => {});
  const { application } = await start(world, {
    functions: { "a:run": { kind: "action", run: () => forever } },
  });
  const due = vi.spyOn(application.scheduled, "due").mockImplementation((now, limit) => {
    const waiting = [...world.disk.jobs.values()].filter((job) => job.state === "pending");
    return { jobs: waiting.slice(0, limit), nextDueAt: waiting[limit] ? now - 1 : null };
  });
  for (let i = 0; i < 500; i++) {
    application.schedule({ id: `a${i}`, dueAt: 0, target: ACTION });
  }
  await settle();
  due.mockClear();
  await world.clock.advance(30_000);
  expect(due).not.toHaveBeenCalled();
});

test("a store that cannot be read is reported, not thrown into the commit, and looked at again", async () => {
  const world = newWorld();
  const { application } = await start(world);
  const due = vi.spyOn(application.scheduled, "due").mockImplementationOnce(() => {
    throw new Error("unreadable");
  });
  expect(() => application.schedule({ id: "a", dueAt: 0 })).not.toThrow();
  expect(world.problems).toEqual([expect.stringContaining("unreadable")]);
  await world.clock.advance(60_000);
  expect(due.mock.calls.length).toBeGreaterThan(1);
  expect(world.disk.ran).toHaveLength(1);
});

test("stop begins nothing more and waits for what runs", async () => {
  const world = newWorld();
  const gate = Promise.withResolvers<void>();
  const { application, runner } = await start(world, {
    functions: { "m:run": { kind: "mutation", run: () => gate.promise } },
  });
  application.schedule({ id: "a", dueAt: 0 });
  application.schedule({ id: "b", dueAt: 1_000 });
  await settle();
  let isStopped = false;
  const stopped = runner.stop().then(() => (isStopped = true));
  await settle();
  expect(isStopped).toBe(false);
  gate.resolve();
  await stopped;
  await world.clock.advance(5_000);
  expect(world.disk.ran).toEqual(["m:run at 0"]);
  expect(world.clock.dueTimes()).toEqual([]);
});
