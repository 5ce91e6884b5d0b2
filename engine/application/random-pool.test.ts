import { expect, test } from "vitest";
import { randomBytesFromPool } from "./random-pool.ts";

test("each call gets as many bytes as it asked for, which no other call gets", () => {
  const seen = new Set<string>();
  for (let call = 0; call < 2_000; call++) {
    const bytes = randomBytesFromPool(16);
    expect(bytes).toHaveLength(16);
    seen.add(Buffer.from(bytes).toString("hex"));
  }
  expect(seen.size).toBe(2_000);
  expect(randomBytesFromPool(10_000)).toHaveLength(10_000);
});

test("what was given out does not change when more is asked for", () => {
  const bytes = randomBytesFromPool(32);
  const before = [...bytes];
  for (let call = 0; call < 1_000; call++) randomBytesFromPool(100);
  expect([...bytes]).toEqual(before);
});
