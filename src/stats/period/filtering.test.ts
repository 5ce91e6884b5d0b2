import { expect, test } from "vitest";
import type { Condition } from "../../../domain/filters/filter.ts";
import {
  asksFor,
  chosen,
  filterArgument,
  knowsUse,
  onePageOf,
  withCondition,
  without,
} from "./filtering.ts";

const ofGermany: Condition = { dimension: "country", operator: "is", values: ["DE"] };
const ofBlog: Condition = { dimension: "path", operator: "matches", values: ["/blog/*"] };

test("a row that is chosen adds its value, another of its dimension takes its place, and chosen again it goes", () => {
  const one = chosen([ofBlog], "country", "DE");
  expect(one).toEqual([ofGermany, ofBlog]);
  expect(asksFor(one, "country", "DE")).toBe(true);
  expect(asksFor(one, "browser", "DE")).toBe(false);
  expect(chosen(one, "country", "AT")).toEqual([{ ...ofGermany, values: ["AT"] }, ofBlog]);
  expect(chosen(one, "country", "DE")).toEqual([ofBlog]);
  expect(chosen([ofBlog], "path", "/a")).toEqual([
    { dimension: "path", operator: "is", values: ["/a"] },
    ofBlog,
  ]);
});

test("a condition of the same kind gets the values of the one that is added", () => {
  expect(withCondition([ofGermany], { ...ofGermany, values: ["AT"] })).toEqual([
    { ...ofGermany, values: ["AT", "DE"] },
  ]);
  const isNot: Condition = { dimension: "country", operator: "isNot", values: ["CH"] };
  expect(withCondition([ofGermany], isNot)).toEqual([ofGermany, isNot]);
  expect(without([ofGermany, ofBlog], 0)).toEqual([ofBlog]);
});

test("what pages report of their use is known of one page alone", () => {
  const home: Condition = { dimension: "path", operator: "is", values: ["/"] };
  expect(onePageOf([home])).toBe("/");
  expect(onePageOf([home, ofGermany])).toBeNull();
  expect(onePageOf([ofBlog])).toBeNull();
  expect(onePageOf([{ ...home, values: ["/", "/a"] }])).toBeNull();
  expect(onePageOf([])).toBeNull();
  expect([[], [home], [ofBlog], [home, ofGermany]].map(knowsUse)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(filterArgument([])).toEqual({});
  expect(filterArgument([home])).toEqual({ filter: [home] });
});
