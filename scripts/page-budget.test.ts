import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { faultOfSize, pageSizeOf } from "./page-budget.ts";
import type { BuiltChunk } from "./page-budget.ts";

const chunk = (fileName: string, more: Partial<BuiltChunk> = {}): BuiltChunk => ({
  ...{ fileName, isEntry: false, facadeModuleId: null, imports: [] },
  code: randomBytes(750).toString("base64"),
  ...more,
});

test("what the page needs is counted once, also through others; what it loads later is not", () => {
  const chunks = [
    chunk("index.js", { isEntry: true, imports: ["react.js"] }),
    chunk("react.js"),
    chunk("page.js", {
      facadeModuleId: "/x/src/stats/StatsPage.tsx",
      imports: ["shared.js", "react.js"],
    }),
    chunk("shared.js", { imports: ["react.js"] }),
    chunk("map.js"),
  ];
  const { whole, own } = pageSizeOf(chunks);
  expect(whole).toBeGreaterThan(4 * 700);
  expect(whole).toBeLessThan(5 * 700);
  expect(own).toBeGreaterThan(2 * 700);
  expect(own).toBeLessThan(3 * 700);
  expect(() => pageSizeOf(chunks.filter(({ fileName }) => fileName !== "page.js"))).toThrow(
    "StatsPage",
  );
});

test("more than the budget is a fault that says by how much and what to do", () => {
  expect(faultOfSize({ whole: 100_000, own: 40_000 })).toBeNull();
  expect(faultOfSize({ whole: 100_000, own: 45_001 })).toContain("45001 of them its own");
  expect(faultOfSize({ whole: 155_001, own: 40_000 })).toContain("155001 bytes");
});
