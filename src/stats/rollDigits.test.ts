import { expect, test } from "vitest";
import { rollDigits } from "./rollDigits.ts";

test("only the digits that change roll", () => {
  expect(rollDigits("1,249", "1,250")).toEqual([
    { is: "1", was: null },
    { is: ",", was: null },
    { is: "2", was: null },
    { is: "5", was: "4" },
    { is: "0", was: "9" },
  ]);
});

test("a number that grows by a digit is aligned from the right", () => {
  expect(rollDigits("99", "100")).toEqual([
    { is: "1", was: "" },
    { is: "0", was: "9" },
    { is: "0", was: "9" },
  ]);
});

test("a number that loses a digit keeps its last ones in place", () => {
  expect(rollDigits("100", "90")).toEqual([
    { is: "9", was: "0" },
    { is: "0", was: null },
  ]);
});
