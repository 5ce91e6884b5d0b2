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
