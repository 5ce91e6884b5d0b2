import { expect, test } from "vitest";
import { partsOf, SCRIPT_PARTS, textOf } from "./script-parts.ts";

const texts = {
  ...{ core: "core", whole: "whole", open: "open(PARTS(x))" },
  parts: Object.fromEntries(SCRIPT_PARTS.map((part) => [part, `<$& ${part}>`])) as never,
};

test("parts are asked for in any order, between blanks or commas; what needs another part brings it", () => {
  expect(partsOf("vitals, outbound downloads,outbound")).toEqual({
    parts: ["downloads", "outbound", "vitals", "engagement"],
    areKnown: true,
  });
  expect(partsOf("")).toEqual({ parts: [], areKnown: true });
  expect(partsOf("outbound tabs")).toEqual({ parts: ["outbound"], areKnown: false });
});

test("the file is the whole alone, the core alone, or the whole with the parts in its place", () => {
  expect(textOf("", texts)).toBe("whole");
  expect(textOf("none", texts)).toBe("core");
  expect(textOf("outbound forms", texts)).toBe("open((c=>{<$& outbound>(c);<$& forms>(c);})(x))");
  expect(textOf("tabs", texts)).toMatch(/^wholeconsole\.warn\(/);
});
