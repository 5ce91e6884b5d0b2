import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { bundleApp } from "../../../engine/application/test-app.helpers.ts";
import { settle } from "../../../engine/clock.helpers.ts";
import { runs } from "../../long.helpers.ts";
import { ManualEngine } from "../manual-engine.ts";
import { WORK } from "./app.ts";

const STARTS_AT = Date.UTC(2026, 0, 1);
/** Longer than the worker's own watch over its loop waits. */
const LONG_MS = 3_600_000;

type State = { waiting: number; done: number[] };

async function deployed(): Promise<ManualEngine> {
  return ManualEngine.of(await bundleApp(WORK), STARTS_AT);
}

const stateOf = async ({ engine }: ManualEngine): Promise<State> =>
  (await engine.query("work:state")) as State;

test("work that is added is done in batches, in the order of its commits, each piece once", async () => {
  const manual = await deployed();
  onTestFinished(() => manual.close());
  const all = Array.from({ length: 20 }, (_, n) => n);
  for (const n of all) await manual.engine.mutation("work:add", { ns: [n] });
  await manual.advance(LONG_MS);
  expect(await stateOf(manual)).toEqual({ waiting: 0, done: all });
});

test("a worker that went idle begins again with the next ping", async () => {
  const manual = await deployed();
  onTestFinished(() => manual.close());
  await manual.engine.mutation("work:add", { ns: [1] });
  await manual.advance(LONG_MS);
  await manual.engine.mutation("work:add", { ns: [2, 3] });
  await manual.advance(LONG_MS);
  expect(await stateOf(manual)).toEqual({ waiting: 0, done: [1, 2, 3] });
});

const episodes = fc.array(
  fc.record({
    batches: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
    advanceMs: fc.constantFrom(0, 1, 10, 100, 1_000),
    /** How many turns of the event loop the process lives on while the worker is at it. */
    turns: fc.nat(40),
  }),
  { minLength: 3, maxLength: 6 },
);

test("killed at any moment, it does each piece of work that was acknowledged exactly once", async () => {
  await fc.assert(
    fc.asyncProperty(episodes, async (played) => {
      const manual = await deployed();
      const acknowledged: number[] = [];
      const sent: number[] = [];
      for (const { batches, advanceMs, turns } of played) {
        for (const size of batches) {
          const ns = Array.from({ length: size }, (_, i) => sent.length + i);
          sent.push(...ns);
          manual.engine.mutation("work:add", { ns }).then(
            () => acknowledged.push(...ns),
            () => "the process died first: it may be there or not",
          );
        }
        const working = manual.advance(advanceMs).catch(() => "the process died meanwhile");
        for (let turn = 0; turn < turns; turn++) await settle();
        manual.kill();
        await working;
        await manual.start();
      }
      await manual.advance(LONG_MS);
      const { waiting, done } = await stateOf(manual);
      expect(waiting).toBe(0);
      expect(done).toEqual([...new Set(done)]);
      expect(acknowledged.filter((n) => !done.includes(n))).toEqual([]);
      expect(done.filter((n) => !sent.includes(n))).toEqual([]);
      await manual.close();
    }),
    { numRuns: runs(5, 300) },
  );
});
