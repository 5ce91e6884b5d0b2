import { expect, test } from "vitest";
import { movementRows } from "./movements.ts";
import type { Movement } from "./movements.ts";

const came: Movement = { at: 2, kind: "came", path: "/a" };
const went: Movement = { at: 1, kind: "went", path: "/a" };

test("a row says what the reports would say of such a visit", () => {
  const known = { source: "", country: "PT", device: "mobile" };
  const [row] = movementRows([{ ...came, ...known }]);
  expect(row?.detail).toBe("Direct, none · Portugal · mobile");
  const [many] = movementRows([{ ...went, sessions: 3 }]);
  expect(many?.detail).toBe("3 people");
  const [moved] = movementRows([{ at: 1, kind: "moved", path: "/b", from: "/a" }]);
  expect([moved?.from, moved?.detail]).toEqual(["/a", ""]);
});

test("a row keeps its key when others come above it, also one that is like them", () => {
  const before = movementRows([came, came, went]).map(({ key }) => key);
  expect(new Set(before).size).toBe(3);
  const after = movementRows([came, came, came, went]).map(({ key }) => key);
  expect(after.slice(1)).toEqual(before);
});

test("what a visitor sent stays text", () => {
  const [row] = movementRows([{ ...came, path: "/<b>", source: "<i>x</i>" }]);
  expect([row?.path, row?.detail]).toEqual(["/<b>", "<i>x</i>"]);
});
