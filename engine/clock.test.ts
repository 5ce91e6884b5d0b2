import { afterEach, expect, test, vi } from "vitest";
import { manualClock } from "./clock.helpers.ts";
import { systemClock } from "./clock.ts";

afterEach(() => vi.useRealTimers());

test("a timer of two months fires once, after two months and not at once", () => {
  vi.useFakeTimers();
  const twoMonthsMs = 60 * 86_400_000;
  const fired = vi.fn();
  systemClock.setTimer(fired, twoMonthsMs);
  vi.advanceTimersByTime(twoMonthsMs - 1);
  expect(fired).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  vi.advanceTimersByTime(twoMonthsMs);
  expect(fired).toHaveBeenCalledOnce();
});

test("a cancelled timer never fires, also in the later part of a long wait", () => {
  vi.useFakeTimers();
  const monthMs = 30 * 86_400_000;
  const fired = vi.fn();
  const cancel = systemClock.setTimer(fired, monthMs);
  vi.advanceTimersByTime(monthMs - 1_000);
  cancel();
  vi.advanceTimersByTime(monthMs);
  expect(fired).not.toHaveBeenCalled();
});

test("a negative delay means at once", () => {
  vi.useFakeTimers();
  const fired = vi.fn();
  systemClock.setTimer(fired, -5);
  vi.advanceTimersByTime(0);
  expect(fired).toHaveBeenCalledOnce();
});

test("the manual clock fires timers in the order in which they are due, also those set meanwhile", async () => {
  const clock = manualClock(0);
  const order: string[] = [];
  clock.setTimer(() => order.push(`b at ${clock.now()}`), 20);
  clock.setTimer(() => {
    order.push(`a at ${clock.now()}`);
    clock.setTimer(() => order.push(`c at ${clock.now()}`), 15);
  }, 10);
  await clock.advance(100);
  expect(order).toEqual(["a at 10", "b at 20", "c at 25"]);
  expect(clock.now()).toBe(100);
});
