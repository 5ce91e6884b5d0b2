import { expect, test } from "vitest";
import { humanVerdict } from "./human-probe.ts";

test.each([
  [0, "0-1s"],
  [999, "0-1s"],
  [1_000, "1-5s"],
  [5_000, "5-30s"],
  [29_999, "5-30s"],
  [30_000, "30s+"],
])("a first input by the reader after %i ms is %s, and by a program synthetic", (ms, verdict) => {
  expect(humanVerdict(ms, true)).toBe(verdict);
  expect(humanVerdict(ms, false)).toBe("synthetic");
});
