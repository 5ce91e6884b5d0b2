/** Owns: tests of where the reader's token is looked for. */
import { expect, test } from "vitest";
import { tokenIn } from "./readerToken.ts";

test("the token is read from the fragment, alone or among others, and is nothing where there is none", () => {
  expect(tokenIn("#token=fr_1_2")).toBe("fr_1_2");
  expect(tokenIn("#pages&token=fr_1_2")).toBe("fr_1_2");
  for (const hash of ["", "#", "#pages", "#token="]) expect(tokenIn(hash)).toBe("");
});
