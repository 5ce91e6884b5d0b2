import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  eventName,
  eventProperties,
  isInteractiveByName,
  packProperties,
  unpackProperties,
  WELL_KNOWN_EVENTS,
} from "./events.ts";
import { toWellFormed } from "./text.ts";

describe("an event's name", () => {
  test("is one line of at most 64 characters, and well-formed", () => {
    expect(eventName("  signup\n\tnow ")).toBe("signup now");
    expect(eventName("n".repeat(65))).toHaveLength(64);
    expect(eventName("a\uD83D")).toBe("a\uFFFD");
    expect(eventName("__proto__")).toBe("__proto__");
    expect(eventName(" \n\t")).toBe("");
  });

  test("says whether it is something that a person did: only a missing page is not", () => {
    const passive = Object.values(WELL_KNOWN_EVENTS).filter((name) => !isInteractiveByName(name));
    expect(passive).toEqual(["404"]);
    expect(isInteractiveByName("signup")).toBe(true);
  });
});

describe("an event's properties", () => {
  test("are text, the first thirty, clamped, each key once", () => {
    expect(
      eventProperties([
        ["plan", "pro"],
        ["seats", 3],
        ["trial", true],
        [" ", "no key"],
        ["plan ", "again"],
        ["k".repeat(70), "v".repeat(301)],
      ]),
    ).toEqual([
      ["plan", "pro"],
      ["seats", "3"],
      ["trial", "true"],
      ["k".repeat(64), "v".repeat(300)],
    ]);
    const many = Array.from({ length: 31 }, (_, place) => [`k${place}`, place] as const);
    expect(eventProperties(many).map(([key]) => key)).toEqual(
      many.slice(0, 30).map(([key]) => key),
    );
  });

  test("come back from their text as they were, whatever their keys", () => {
    const texts = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(texts, fc.oneof(texts, fc.double(), fc.boolean()))),
        (given) => {
          const kept = eventProperties([...given, ["__proto__", "x"], ["_id", "$"]]);
          expect(unpackProperties(packProperties(kept))).toEqual(kept);
          expect(kept.flat().map(toWellFormed)).toEqual(kept.flat());
        },
      ),
    );
    expect(packProperties([])).toBeUndefined();
    expect(unpackProperties(undefined)).toEqual([]);
  });

  test("that are no such text are an error", () => {
    for (const bad of ["{}", "[1]", '[["a"]]', '[["a",1]]', "x"]) {
      expect(() => unpackProperties(bad)).toThrow();
    }
  });
});
