import { expect, test } from "vitest";
import { MAX_JSON_DEPTH } from "../limits.ts";
import { parseForeignJson } from "./foreign-json.ts";

const lists = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const objects = (levels: number) => '{"a":'.repeat(levels) + "1" + "}".repeat(levels);

test.each([lists, objects])("JSON is read down to the deepest level that is allowed", (nested) => {
  const text = nested(MAX_JSON_DEPTH);
  expect(JSON.stringify(parseForeignJson(text))).toBe(text);
});

test.each([lists, objects])("one level more is a SyntaxError, like no JSON at all", (nested) => {
  expect(() => parseForeignJson(nested(MAX_JSON_DEPTH + 1))).toThrow(SyntaxError);
  expect(() => parseForeignJson("{")).toThrow(SyntaxError);
});

test("a depth that no stack holds is refused without walking it", () => {
  expect(() => parseForeignJson(`[1,${lists(100_000)}]`)).toThrow(/deeper than/);
});
