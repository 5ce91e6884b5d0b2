import { expect, test } from "vitest";
import { MAX_WAITING_CHARACTERS, MAX_WAITING_MUTATIONS, MutationLanes } from "./mutation-lanes.ts";

test("a client has room for so many waiting mutations, and another one for its own", () => {
  const lanes = new MutationLanes();
  const { promise: never } = Promise.withResolvers<void>();
  for (let i = 0; i < MAX_WAITING_MUTATIONS; i++) lanes.enqueue("flood", 10, () => never);
  expect(lanes.hasRoom("flood", 10)).toBe(false);
  expect(lanes.hasRoom("other", 10)).toBe(true);
});

test("large mutations of all clients together have a bound, and get room again when earlier ones have run", async () => {
  const lanes = new MutationLanes();
  const first = Promise.withResolvers<void>();
  lanes.enqueue("a", MAX_WAITING_CHARACTERS - 5, () => first.promise);
  expect(lanes.hasRoom("b", 5)).toBe(true);
  expect(lanes.hasRoom("b", 6)).toBe(false);
  first.resolve();
  await lanes.idle();
  expect(lanes.hasRoom("b", MAX_WAITING_CHARACTERS)).toBe(true);
});

test("a mutation begins when the one before it has run, and not before; all are waited for until they are answered", async () => {
  const lanes = new MutationLanes();
  const begun: number[] = [];
  const first = Promise.withResolvers<void>();
  let firstRan = () => {};
  lanes.enqueue("a", 1, (onRan) => {
    begun.push(1);
    firstRan = onRan;
    return first.promise;
  });
  lanes.enqueue("a", 1, async () => void begun.push(2));
  lanes.enqueue("a", 1, async () => void begun.push(3));
  let isIdle = false;
  const idle = lanes.idle().then(() => (isIdle = true));
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  await turn();
  expect(begun).toEqual([1]);
  firstRan();
  await turn();
  expect(begun).toEqual([1, 2, 3]);
  expect(isIdle).toBe(false);
  first.resolve();
  await idle;
});

test("where one is answered without having said that it ran, the next one begins then", async () => {
  const lanes = new MutationLanes();
  let hasBegun = false;
  lanes.enqueue("a", 1, async () => undefined);
  lanes.enqueue("a", 1, async () => void (hasBegun = true));
  await lanes.idle();
  expect(hasBegun).toBe(true);
});
