import { expect, test } from "vitest";
import { manualClock } from "../clock.helpers.ts";
import { RefreshThrottle } from "./refresh-throttle.ts";

function world(): {
  clock: ReturnType<typeof manualClock>;
  throttle: RefreshThrottle;
  rounds: () => number;
} {
  const clock = manualClock();
  let count = 0;
  const throttle = new RefreshThrottle(clock, () => count++);
  return { clock, throttle, rounds: () => count };
}

test("after a quiet time a refresh begins at once", async () => {
  const { clock, throttle, rounds } = world();
  throttle.request();
  await clock.advance(0);
  expect(rounds()).toBe(1);
});

test("many requests within a pause are one refresh when it ends", async () => {
  const { clock, throttle, rounds } = world();
  throttle.request();
  await clock.advance(0);
  for (let i = 0; i < 10; i++) throttle.request();
  await clock.advance(49);
  expect(rounds()).toBe(1);
  await clock.advance(1);
  expect(rounds()).toBe(2);
});

test("the pause grows with what the last round cost, up to a second", async () => {
  const { clock, throttle, rounds } = world();
  throttle.request();
  await clock.advance(0);
  throttle.spend(20);
  throttle.spend(30);
  throttle.request();
  await clock.advance(449);
  expect(rounds()).toBe(1);
  await clock.advance(1);
  expect(rounds()).toBe(2);
  throttle.spend(60_000);
  throttle.request();
  await clock.advance(1000);
  expect(rounds()).toBe(3);
});

test("nothing happens after it was stopped", async () => {
  const { clock, throttle, rounds } = world();
  throttle.request();
  throttle.stop();
  await clock.advance(1000);
  expect(rounds()).toBe(0);
});
