import { describe, expect, test, vi } from "vitest";
import { manualClock, settle } from "../clock.helpers.ts";
import type { ManualClock } from "../clock.helpers.ts";
import type { CronSpec } from "../application.ts";
import { CronRunner } from "./crons.ts";
import { cron, emptyDisk, fakeApplication } from "./scheduler.helpers.ts";
import type { FakeApplication, FakeDisk, FakeFunction } from "./scheduler.helpers.ts";

const CRON_FUNCTIONS: Record<string, FakeFunction> = {
  "m:run": { kind: "mutation" },
  "m:other": { kind: "mutation" },
  "a:run": { kind: "action" },
};
const EVERY_MINUTE = { type: "interval", minutes: 1 };

type World = { disk: FakeDisk; clock: ManualClock; problems: string[] };
type Started = { application: FakeApplication; runner: CronRunner };

const newWorld = (): World => ({ disk: emptyDisk(), clock: manualClock(0), problems: [] });

async function start(
  world: World,
  crons: readonly CronSpec[],
  more: { functions?: Record<string, FakeFunction>; diesAtStep?: number } = {},
): Promise<Started> {
  const application = fakeApplication({ functions: CRON_FUNCTIONS, ...world, crons, ...more });
  const runner = new CronRunner(application, world.clock, (what, error) =>
    world.problems.push(`${what}: ${String(error)}`),
  );
  void runner.start();
  await settle();
  return { application, runner };
}

describe("an interval", () => {
  test("runs at its first deployment and then at each beat", async () => {
    const world = newWorld();
    await start(world, [cron("beat", EVERY_MINUTE)]);
    expect(world.disk.ran).toEqual(["m:run at 0"]);
    await world.clock.advance(150_000);
    expect(world.disk.ran).toEqual(["m:run at 0", "m:run at 60000", "m:run at 120000"]);
  });

  test("after a restart goes on with its beat and does not re-run what ran", async () => {
    const world = newWorld();
    const first = await start(world, [cron("beat", EVERY_MINUTE)]);
    await world.clock.advance(70_000);
    await first.runner.stop();
    await world.clock.advance(20_000);
    await start(world, [cron("beat", EVERY_MINUTE)]);
    expect(world.disk.ran).toEqual(["m:run at 0", "m:run at 60000"]);
    await world.clock.advance(30_000);
    expect(world.disk.ran.at(-1)).toBe("m:run at 120000");
  });

  test("that was missed many times while nothing ran is made up for once", async () => {
    const world = newWorld();
    const first = await start(world, [cron("beat", EVERY_MINUTE)]);
    await first.runner.stop();
    await world.clock.advance(605_000);
    await start(world, [cron("beat", EVERY_MINUTE)]);
    expect(world.disk.ran).toEqual(["m:run at 0", "m:run at 605000"]);
    await world.clock.advance(55_000);
    expect(world.disk.ran.at(-1)).toBe("m:run at 660000");
  });
});

test("a daily cron waits for its hour, also through many alarms", async () => {
  const world = newWorld();
  await start(world, [cron("nightly", { type: "daily", hourUTC: 3, minuteUTC: 0 })]);
  await world.clock.advance(3 * 3_600_000 - 1);
  expect(world.disk.ran).toEqual([]);
  await world.clock.advance(1);
  await world.clock.advance(24 * 3_600_000);
  expect(world.disk.ran).toEqual(["m:run at 10800000", "m:run at 97200000"]);
});

test("when the machine slept past a slot, the cron runs within a minute of waking", async () => {
  const world = newWorld();
  await start(world, [cron("nightly", { type: "daily", hourUTC: 3, minuteUTC: 0 })]);
  world.clock.jumpTo(5 * 3_600_000);
  await world.clock.advance(60_000);
  expect(world.disk.ran).toHaveLength(1);
});

test("a slot that was set while the clock was years ahead does not silence the cron", async () => {
  const world = newWorld();
  world.clock.jumpTo(Date.UTC(2040, 0, 1));
  const wrong = await start(world, [cron("beat", EVERY_MINUTE)]);
  await wrong.runner.stop();
  world.clock.jumpTo(Date.UTC(2026, 0, 1));
  await start(world, [cron("beat", EVERY_MINUTE)]);
  await world.clock.advance(60_000);
  expect(world.disk.ran).toHaveLength(2);
});

describe("a deployment", () => {
  const BOTH = [cron("a", EVERY_MINUTE), cron("b", EVERY_MINUTE, "m:other")];

  test("that leaves a cron as it was does not disturb its beat", async () => {
    const world = newWorld();
    const { application } = await start(world, BOTH);
    await world.clock.advance(30_000);
    application.deploy(BOTH);
    await settle();
    expect(world.disk.ran).toHaveLength(2);
    await world.clock.advance(30_000);
    expect(world.disk.ran).toHaveLength(4);
  });

  test("that removes a cron ends it; when it comes back it begins anew", async () => {
    const world = newWorld();
    const { application } = await start(world, BOTH);
    application.deploy([cron("a", EVERY_MINUTE)]);
    await world.clock.advance(60_000);
    expect(world.disk.ran.filter((run) => run.startsWith("m:other"))).toEqual(["m:other at 0"]);
    expect(world.disk.pairs.size).toBe(1);
    await world.clock.advance(1_000);
    application.deploy(BOTH);
    await settle();
    expect(world.disk.ran.at(-1)).toBe("m:other at 61000");
  });

  test("that changes the schedule lets the cron begin anew, and one that changes the function does not", async () => {
    const world = newWorld();
    const { application } = await start(world, [cron("a", EVERY_MINUTE)]);
    await world.clock.advance(10_000);
    application.deploy([cron("a", EVERY_MINUTE, "m:other")]);
    await settle();
    expect(world.disk.ran).toEqual(["m:run at 0"]);
    application.deploy([cron("a", { type: "interval", seconds: 20 }, "m:other")]);
    await world.clock.advance(25_000);
    expect(world.disk.ran).toEqual(["m:run at 0", "m:other at 10000", "m:other at 30000"]);
  });

  test("while a cron runs neither loses nor doubles its slot", async () => {
    const world = newWorld();
    const gate = Promise.withResolvers<void>();
    const functions = { "m:run": { kind: "mutation" as const, run: () => gate.promise } };
    const { application } = await start(world, [cron("a", EVERY_MINUTE)], { functions });
    application.deploy([cron("a", EVERY_MINUTE)]);
    await settle();
    gate.resolve();
    await settle();
    expect(world.disk.ran).toEqual(["m:run at 0"]);
    await world.clock.advance(60_000);
    expect(world.disk.ran).toEqual(["m:run at 0", "m:run at 60000"]);
  });

  test("with one unreadable schedule reports it and runs the others", async () => {
    const world = newWorld();
    await start(world, [cron("bad", { type: "cron", cron: "x" }), cron("good", EVERY_MINUTE)]);
    expect(world.disk.ran).toEqual(["m:run at 0"]);
    expect(world.problems).toEqual([expect.stringContaining('The cron "bad" does not run')]);
  });
});

test("crons of the same name in two components are two crons", async () => {
  const world = newWorld();
  const inside = { ...cron("a", EVERY_MINUTE), componentPath: "child" };
  await start(world, [cron("a", EVERY_MINUTE), inside]);
  expect(world.disk.ran).toHaveLength(2);
  expect(world.disk.pairs.size).toBe(2);
});

test("a slot that comes while the previous run still goes is skipped", async () => {
  const world = newWorld();
  const gate = Promise.withResolvers<void>();
  const functions = { "a:run": { kind: "action" as const, run: () => gate.promise } };
  await start(world, [cron("slow", EVERY_MINUTE, "a:run")], { functions });
  await world.clock.advance(130_000);
  gate.resolve();
  await settle();
  expect(world.disk.ran).toEqual(["a:run at 0"]);
  await world.clock.advance(50_000);
  expect(world.disk.ran).toEqual(["a:run at 0", "a:run at 180000"]);
});

describe("a crash at any step", () => {
  const runWithCrash = async (path: string, diesAtStep: number): Promise<string[]> => {
    const world = newWorld();
    await start(world, [cron("c", EVERY_MINUTE, path)], { diesAtStep });
    await world.clock.advance(30_000);
    await start(world, [cron("c", EVERY_MINUTE, path)]);
    return world.disk.ran;
  };
  const stepsOf = async (path: string): Promise<number> => {
    const { application } = await start(newWorld(), [cron("c", EVERY_MINUTE, path)]);
    return application.stepCount;
  };

  test("leaves a mutation with exactly one run in its slot", async () => {
    const steps = await stepsOf("m:run");
    expect(steps).toBeGreaterThan(4);
    for (let step = 1; step <= steps; step++) {
      expect(await runWithCrash("m:run", step), `dies at step ${step}`).toHaveLength(1);
    }
  });

  test("leaves an action with at most one run in its slot", async () => {
    const steps = await stepsOf("a:run");
    for (let step = 1; step <= steps; step++) {
      const runs = await runWithCrash("a:run", step);
      expect(runs.length, `dies at step ${step}`).toBeLessThanOrEqual(1);
    }
  });
});

test("a cron whose function throws has used its slot, and runs again in the next one", async () => {
  const world = newWorld();
  const functions = { "m:run": { kind: "mutation" as const, throws: true as const } };
  await start(world, [cron("a", EVERY_MINUTE)], { functions });
  await world.clock.advance(60_000);
  expect(world.disk.ran).toEqual(["m:run throws at 0", "m:run throws at 60000"]);
  expect(world.problems).toEqual([]);
});

test("when the engine fails to run a cron it tries again, less and less often, and in the same slot", async () => {
  const world = newWorld();
  let failures = 3;
  const run = vi.fn(async () => {
    if (failures-- > 0) throw new Error("disk full");
  });
  await start(world, [cron("a", { type: "hourly", minuteUTC: 1 })], {
    functions: { "m:run": { kind: "mutation", run } },
  });
  await world.clock.advance(60_000);
  expect(run).toHaveBeenCalledTimes(1);
  await world.clock.advance(1_000 + 2_000);
  expect(run).toHaveBeenCalledTimes(3);
  await world.clock.advance(4_000);
  expect(world.disk.ran).toEqual(["m:run at 67000"]);
  expect(world.problems[0]).toBe('The cron "a" could not be run: Error: disk full');
});

test("stop begins nothing more and waits for what runs", async () => {
  const world = newWorld();
  const gate = Promise.withResolvers<void>();
  const functions = { "m:run": { kind: "mutation" as const, run: () => gate.promise } };
  const { runner } = await start(world, [cron("a", EVERY_MINUTE)], { functions });
  let isStopped = false;
  const stopped = runner.stop().then(() => (isStopped = true));
  await settle();
  expect(isStopped).toBe(false);
  gate.resolve();
  await stopped;
  await world.clock.advance(600_000);
  expect(world.disk.ran).toEqual(["m:run at 0"]);
  expect(world.clock.dueTimes()).toEqual([]);
});
