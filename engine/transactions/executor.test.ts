import { expect, test } from "vitest";
import { Executor } from "./executor.ts";

test("jobs run one at a time in the order of arrival, and a failure does not stop the ones behind it", async () => {
  const executor = new Executor();
  const trace: string[] = [];
  const job =
    (name: string, fails = false) =>
    async (): Promise<string> => {
      trace.push(`${name} begins`);
      await Promise.resolve();
      trace.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const results = await Promise.allSettled([
    executor.run(job("a")),
    executor.run(job("b", true)),
    executor.run(job("c")),
  ]);
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(trace).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("the event loop gets its turn while many jobs wait", async () => {
  const executor = new Executor();
  let ticks = 0;
  let isDone = false;
  const tick = (): void => {
    ticks++;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  const busy = (): void => {
    const until = performance.now() + 1;
    while (performance.now() < until);
  };
  await Promise.all(Array.from({ length: 40 }, () => executor.run(busy)));
  isDone = true;
  expect(ticks).toBeGreaterThan(3);
});

test("listeners hear after each job, before the next begins", async () => {
  const executor = new Executor();
  const trace: string[] = [];
  executor.onAfterEach(() => trace.push("between"));
  await Promise.all(["a", "b"].map((name) => executor.run(() => void trace.push(name))));
  await executor.run(() => undefined);
  expect(trace.slice(0, 4)).toEqual(["a", "between", "b", "between"]);
});
