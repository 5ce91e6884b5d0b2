import { ConvexError } from "convex/values";
import { expect, test } from "vitest";
import { failureOf } from "./failures.ts";

test("a coded error tells its sentence and its code", () => {
  const error = new ConvexError({ code: "UNKNOWN_SITE", message: 'Site "shop" is unknown here.' });
  expect(failureOf(error)).toEqual({
    code: "UNKNOWN_SITE",
    message: 'Site "shop" is unknown here.',
  });
});

test("any other error tells its first line, never a stack", () => {
  const error = new Error("[CONVEX Q(stats:getStats)] Server Error\n  at handler (stats.ts:1)");
  expect(failureOf(error)).toEqual({
    code: "E_QUERY",
    message: "[CONVEX Q(stats:getStats)] Server Error",
  });
});

test("data of another shape is not mistaken for a code", () => {
  expect(failureOf(new ConvexError("just text")).code).toBe("E_QUERY");
});
