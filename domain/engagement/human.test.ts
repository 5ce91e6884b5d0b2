import fc from "fast-check";
import { expect, test } from "vitest";
import { HUMAN_VERDICTS, isHumanVerdict, standingVerdict } from "./human.ts";
import type { HumanVerdict } from "./human.ts";

const anyVerdict = fc.option(fc.constantFrom(...HUMAN_VERDICTS), { nil: undefined });

test("the earliest input of a reader stands, a program's only while there is no other, and none is less than any", () => {
  expect(standingVerdict("synthetic", "30s+")).toBe("30s+");
  expect(standingVerdict("0-1s", "synthetic")).toBe("0-1s");
  expect(standingVerdict("5-30s", "1-5s")).toBe("1-5s");
  expect(standingVerdict(undefined, "synthetic")).toBe("synthetic");
  expect(standingVerdict(undefined, undefined)).toBeUndefined();
});

test("which verdict stands does not depend on the order in which they come, nor on how often", () => {
  fc.assert(
    fc.property(fc.array(anyVerdict, { maxLength: 6 }), (verdicts) => {
      const standing = (all: typeof verdicts) =>
        all.reduce<HumanVerdict | undefined>(standingVerdict, undefined);
      expect(standing(verdicts.toReversed())).toBe(standing(verdicts));
      expect(standing([...verdicts, ...verdicts])).toBe(standing(verdicts));
    }),
  );
});

test("what is no verdict is none", () => {
  expect(HUMAN_VERDICTS.every(isHumanVerdict)).toBe(true);
  for (const text of ["", "30s", "30s ", "Synthetic", "constructor"]) {
    expect(isHumanVerdict(text), text).toBe(false);
  }
});
