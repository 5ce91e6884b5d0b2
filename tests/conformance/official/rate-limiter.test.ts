import type { Value } from "convex/values";
import { expect, onTestFinished, test } from "vitest";
import { bundleApp } from "../../../engine/application/test-app.helpers.ts";
import { ManualEngine } from "../manual-engine.ts";
import { LIMITS } from "./app.ts";

const STARTS_AT = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

type Answer = { ok: boolean; retryAfter?: number };

async function deployed(): Promise<ManualEngine> {
  const manual = await ManualEngine.of(await bundleApp(LIMITS), STARTS_AT);
  onTestFinished(() => manual.close());
  return manual;
}

const take = async (
  { engine }: ManualEngine,
  name: string,
  options: Record<string, Value> = {},
): Promise<Answer> => (await engine.mutation("limits:take", { name, ...options })) as Answer;

const takeAll = async (manual: ManualEngine, name: string, times: number): Promise<boolean[]> => {
  const answers: boolean[] = [];
  for (let i = 0; i < times; i++) answers.push((await take(manual, name)).ok);
  return answers;
};

test("a token bucket gives its capacity at once and then one token in its time", async () => {
  const manual = await deployed();
  expect(await takeAll(manual, "bucket", 4)).toEqual([true, true, true, false]);
  const { retryAfter } = await take(manual, "bucket");
  expect(retryAfter).toBeCloseTo(MINUTE_MS / 6, 0);
  await manual.advance((retryAfter ?? 0) - 10);
  expect((await take(manual, "bucket")).ok).toBe(false);
  await manual.advance(20);
  expect(await takeAll(manual, "bucket", 2)).toEqual([true, false]);
});

test("a fixed window is full until the next one begins", async () => {
  const manual = await deployed();
  expect(await takeAll(manual, "window", 3)).toEqual([true, true, false]);
  await manual.advance(MINUTE_MS);
  expect(await takeAll(manual, "window", 3)).toEqual([true, true, false]);
});

test("keys have buckets of their own, several tokens can be asked for, and a check takes none", async () => {
  const manual = await deployed();
  expect(await take(manual, "bucket", { key: "ann", count: 3 })).toMatchObject({ ok: true });
  expect(await take(manual, "bucket", { key: "ann" })).toMatchObject({ ok: false });
  for (let i = 0; i < 5; i++)
    expect(
      await manual.engine.query("limits:check", { name: "bucket", key: "bob", count: 3 }),
    ).toMatchObject({ ok: true });
  expect(await take(manual, "bucket", { key: "bob", count: 3 })).toMatchObject({ ok: true });
  await manual.engine.mutation("limits:reset", { name: "bucket", key: "ann" });
  expect(await take(manual, "bucket", { key: "ann", count: 3 })).toMatchObject({ ok: true });
});

test("what a mutation that fails has taken is given back, and a refusal can be thrown", async () => {
  const manual = await deployed();
  for (let i = 0; i < 5; i++)
    await expect(
      manual.engine.mutation("limits:takeThenFail", { name: "bucket" }),
    ).rejects.toThrow();
  expect(await manual.engine.query("limits:value", { name: "bucket" })).toBe(3);
  await takeAll(manual, "bucket", 3);
  const refused = await manual.engine.failure("mutation", "limits:orThrow", { name: "bucket" });
  expect(JSON.parse(refused.data ?? "null")).toMatchObject({ kind: "RateLimited", name: "bucket" });
});

test("a reservation is granted with the time to wait, up to the most that may be reserved", async () => {
  const manual = await deployed();
  expect(await takeAll(manual, "reserving", 2)).toEqual([true, true]);
  const reserved = await take(manual, "reserving", { count: 3, reserve: true });
  expect([reserved.ok, reserved.retryAfter]).toEqual([true, expect.closeTo(MINUTE_MS / 2, 0)]);
  expect(await take(manual, "reserving", { count: 3, reserve: true })).toMatchObject({ ok: false });
});

test("shards together never give more than the limit", async () => {
  const manual = await deployed();
  const granted = (await takeAll(manual, "sharded", 100)).filter(Boolean);
  expect(granted.length).toBeLessThanOrEqual(40);
  expect(granted.length).toBeGreaterThan(20);
});

test("calls at the same moment take each token once", async () => {
  const manual = await deployed();
  const answers = await Promise.all(Array.from({ length: 20 }, () => take(manual, "bucket")));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
});

test("a limit that is applied in the background is accounted for by its worker, below zero too", async () => {
  const manual = await deployed();
  const answers = await Promise.all(Array.from({ length: 5 }, () => take(manual, "queued")));
  expect(answers.every(({ ok }) => ok)).toBe(true);
  await manual.advance(1_000);
  expect((await take(manual, "queued")).ok).toBe(false);
  await manual.advance(MINUTE_MS);
  expect((await take(manual, "queued")).ok).toBe(true);
});
