import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { expect, test } from "vitest";
import { report } from "../bench/report.ts";
import { SCRIPT_PARTS, textOf } from "../domain/script-parts.ts";
import { SCRIPT_TEXTS } from "../convex/model/scriptTexts.ts";
import { ROOT } from "./checkout.ts";
import {
  BUILDS,
  gzippedBytes,
  integrityOf,
  MAX_CORE_BYTES,
  SCRIPT_MODULE,
  scriptModule,
  sizeRows,
} from "./tracking-script.ts";

test("the core of the script is within its budget, and one that is not is flagged", () => {
  expect(gzippedBytes(SCRIPT_TEXTS.core)).toBeLessThanOrEqual(MAX_CORE_BYTES);
  expect(report(sizeRows(SCRIPT_TEXTS), true)).toBe(0);
  const grown = `${SCRIPT_TEXTS.core};${JSON.stringify(BUILDS)}`;
  expect(report(sizeRows({ ...SCRIPT_TEXTS, core: grown }), true)).toBe(1);
});

test("each part has a row of its own in what npm run size prints, and costs nothing where it is not asked for", () => {
  const names = sizeRows(SCRIPT_TEXTS).map(({ name }) => name);
  for (const part of SCRIPT_PARTS) expect(names).toContain(`part ${part}, more`);
  expect(textOf("", SCRIPT_TEXTS)).toBe(SCRIPT_TEXTS.whole);
  expect(SCRIPT_TEXTS.whole).not.toMatch(/PARTS|engagement/);
});

test("the module that is served is what its sources make", async () => {
  expect(readFileSync(join(ROOT, SCRIPT_MODULE), "utf8")).toBe(await scriptModule());
});

test.each(["none", "", ...SCRIPT_PARTS, SCRIPT_PARTS.join(" ")])(
  "the script with the parts %j is one classic script that evaluates no text and names no place of its build",
  (parts) => {
    const text = textOf(parts, SCRIPT_TEXTS);
    expect(text).toMatch(/^\(\(\)=>\{.*\}\)\(\);$/);
    expect(() => new Script(text)).not.toThrow();
    expect(text).not.toMatch(/\beval\b|Function\(|setTimeout\("|<\/script|PARTS|WITH_/);
  },
);

test("what the integrity of a text is, a browser makes of it too", () => {
  expect(integrityOf("")).toBe(
    "sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb",
  );
});
