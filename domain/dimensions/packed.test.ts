import fc from "fast-check";
import { expect, test } from "vitest";
import { packValues, unpackValues } from "./packed.ts";
import { dimensionValue } from "./value.ts";

const anyValue = fc
  .oneof(
    fc.constantFrom("", "Chrome", "Chrome 131", "news.example", "news.example/a"),
    fc.string({ unit: "binary" }),
  )
  .map(dimensionValue);

const EMPTY = unpackValues("");

test("whatever is packed comes back, and equal values give equal texts", () => {
  const anyValues = fc.record(
    Object.fromEntries(Object.keys(EMPTY).map((name) => [name, anyValue])),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(anyValues, (values) => {
      const packed = packValues(values);
      expect(unpackValues(packed)).toEqual({ ...EMPTY, ...values });
      expect(packValues(unpackValues(packed))).toBe(packed);
    }),
  );
});

test("a direct visit is a short text", () => {
  const values = {
    channel: "direct",
    browser: "Chrome",
    browserVersion: "Chrome 131",
    system: "Windows",
    systemVersion: "Windows 10+",
    timeZone: "Europe/Madrid",
    country: "ES",
  };
  expect(packValues(values).split("\n").filter(Boolean)).toEqual([
    "direct",
    "Chrome",
    "\t 131",
    "Windows",
    "\t 10+",
    "Europe/Madrid",
    "ES",
  ]);
  expect(packValues({})).toBe("");
});

test("a value that is no object key in daily life stays a value", () => {
  const values = unpackValues(packValues({ utmSource: "__proto__", source: "constructor" }));
  expect(values.utmSource).toBe("__proto__");
  expect(values.source).toBe("constructor");
});
