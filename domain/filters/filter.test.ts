import fc from "fast-check";
import { expect, test } from "vitest";
import {
  FILTER_DIMENSIONS,
  FILTER_OPERATORS,
  faultOfFilter,
  joinedFilter,
  keyOf,
  matcherOf,
  normalFilter,
} from "./filter.ts";
import type { Condition } from "./filter.ts";
import { filterText, parseFilter } from "./text.ts";

const view = { path: "/blog/Hello", values: { country: "DE", browser: "Firefox", referrer: "" } };

/** Of values that the view below has, too. */
const anyCondition: fc.Arbitrary<Condition> = fc.record({
  dimension: fc.constantFrom("path", "country", "browser", "referrer"),
  operator: fc.constantFrom(...FILTER_OPERATORS),
  values: fc.array(fc.constantFrom("/blog/Hello", "DE", "Firefox", "", "/blog/*", "e"), {
    minLength: 1,
    maxLength: 3,
  }),
});

const condition: fc.Arbitrary<Condition> = fc.record({
  dimension: fc.constantFrom(...FILTER_DIMENSIONS),
  operator: fc.constantFrom(...FILTER_OPERATORS),
  values: fc.array(fc.oneof(fc.string(), fc.constantFrom("a|b", "a;b:c", "\\", "|;\\|", "/x/*")), {
    minLength: 1,
    maxLength: 4,
  }),
});

test.each<[Condition["dimension"], Condition["operator"], string[], boolean]>([
  ["country", "is", ["DE"], true],
  ["country", "is", ["AT", "DE"], true],
  ["country", "is", ["de"], false],
  ["country", "isNot", ["AT", "CH"], true],
  ["country", "isNot", ["AT", "DE"], false],
  ["path", "contains", ["HELLO"], true],
  ["path", "containsNot", ["hello", "x"], false],
  ["path", "matches", ["/blog/*"], true],
  ["path", "matches", ["/BLOG/*o"], true],
  ["path", "matches", ["/blog"], false],
  ["referrer", "is", [""], true],
  ["source", "is", [""], true],
  ["referrer", "matches", ["*"], false],
])("%s %s %j: %s", (dimension, operator, values, isMet) => {
  expect(matcherOf([{ dimension, operator, values }])(view)).toBe(isMet);
});

test("all conditions of a filter must be met, and no condition takes everything", () => {
  const ofGermany: Condition = { dimension: "country", operator: "is", values: ["DE"] };
  const ofChrome: Condition = { dimension: "browser", operator: "is", values: ["Chrome"] };
  expect(matcherOf([ofGermany, ofChrome])(view)).toBe(false);
  expect(matcherOf([ofGermany])(view)).toBe(true);
  expect(matcherOf([])(view)).toBe(true);
});

test("what differs in order or repetition alone has one form and one key", () => {
  const a: Condition = { dimension: "country", operator: "is", values: ["DE", "AT", "DE"] };
  const b: Condition = { dimension: "path", operator: "contains", values: [" blog "] };
  expect(keyOf([a, b, b])).toBe(keyOf([b, { ...a, values: ["AT", "DE"] }]));
  expect(normalFilter([b, a, b])).toEqual([
    { dimension: "country", operator: "is", values: ["AT", "DE"] },
    { dimension: "path", operator: "contains", values: ["blog"] },
  ]);
  expect(keyOf([a])).not.toBe(keyOf([{ ...a, operator: "isNot" }]));
});

test("what is joined meets both, and has each condition once, those of the first one first", () => {
  const condition = (values: string[]): Condition => ({
    dimension: "path",
    operator: "is",
    values,
  });
  const many = (of: string) => Array.from({ length: 8 }, (_, at) => condition([`/${of}${at}`]));
  expect(joinedFilter(many("a"), many("b"))).toHaveLength(16);
  expect(joinedFilter([condition(["/x", "/y"])], [condition(["/y", "/x", "/x"])])).toHaveLength(1);
  expect(joinedFilter([], many("a"))).toEqual(many("a"));
  fc.assert(
    fc.property(
      fc.array(anyCondition, { maxLength: 8 }),
      fc.array(anyCondition, { maxLength: 8 }),
      (one, other) => {
        const [meetsOne, meetsOther] = [matcherOf(one), matcherOf(other)];
        const meetsBoth = matcherOf(joinedFilter(one, other));
        expect(meetsBoth(view)).toBe(meetsOne(view) && meetsOther(view));
        expect(matcherOf(normalFilter(joinedFilter(one, other)))(view)).toBe(meetsBoth(view));
      },
    ),
  );
});

test("its text in an address is the filter again, whatever is in it", () => {
  expect(filterText([{ dimension: "path", operator: "matches", values: ["/b/*", "a|b;"] }])).toBe(
    "path:matches:/b/*|a\\|b\\;",
  );
  fc.assert(
    fc.property(fc.array(condition, { maxLength: 8 }), (filter) => {
      if (faultOfFilter(filter) !== null) return;
      expect(parseFilter(filterText(filter))).toEqual(normalFilter(filter));
      expect(keyOf(parseFilter(filterText(filter)) ?? [])).toBe(keyOf(filter));
    }),
  );
});

test("a text that is no filter, or asks for too much, is none", () => {
  const many = Array.from({ length: 9 }, (_, place) => `path:is:/${place}`).join(";");
  for (const text of [
    "x",
    "country",
    "country:is",
    "hour:is:3",
    "country:like:x",
    "path:contains:",
    many,
  ]) {
    expect(parseFilter(text), text).toBeNull();
  }
  expect(parseFilter("")).toEqual([]);
});
