import { expect, test, vi } from "vitest";
import { percentile, report } from "./report.ts";

test("percentiles are values that were measured, by nearest rank", () => {
  const values = [50, 15, 20, 40, 35];
  expect(percentile(values, 0.5)).toBe(35);
  expect(percentile(values, 0.95)).toBe(50);
  expect(percentile(values, 0)).toBe(15);
  expect(percentile([], 0.5)).toBeNaN();
});

test("a row over its target fails the run, and a measurement that was not made does too", () => {
  const print = vi.spyOn(console, "log").mockReturnValue();
  const row = { name: "drop", unit: "ms", target: 250 };
  expect(report([{ ...row, value: 250 }], true)).toBe(0);
  expect(report([{ ...row, value: 251 }], true)).toBe(1);
  expect(report([{ ...row, value: NaN }], true)).toBe(1);
  expect(JSON.parse(String(print.mock.calls[0]?.[0]))).toEqual({
    rows: [{ ...row, value: 250, ok: true }],
  });
  print.mockRestore();
});
