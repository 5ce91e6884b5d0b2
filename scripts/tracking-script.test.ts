import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { expect, test } from "vitest";
import { report } from "../bench/report.ts";
import { SCRIPT_TEXTS } from "../convex/model/scriptTexts.ts";
import { ROOT } from "./checkout.ts";
import {
  BUILDS,
  buildScript,
  gzippedBytes,
  integrityOf,
  MAX_CORE_BYTES,
  SCRIPT_MODULE,
  scriptModule,
  sizeRows,
} from "./tracking-script.ts";

test("the core of the script is within its budget, and one that is not is flagged", async () => {
  const core = await buildScript("core");
  expect(gzippedBytes(core)).toBeLessThanOrEqual(MAX_CORE_BYTES);
  expect(report(sizeRows({ core, whole: core }), true)).toBe(0);
  const grown = `${core};${JSON.stringify(BUILDS)}`;
  expect(report(sizeRows({ core: grown, whole: core }), true)).toBe(1);
});

test("the module that is served is what its sources make, with the integrity of its texts", async () => {
  expect(readFileSync(join(ROOT, SCRIPT_MODULE), "utf8")).toBe(await scriptModule());
  for (const { text, integrity } of Object.values(SCRIPT_TEXTS))
    expect(integrity).toBe(integrityOf(text));
});

test.each(Object.entries(SCRIPT_TEXTS))(
  "the %s is one classic script that defines nothing global and evaluates no text",
  (_name, { text }) => {
    expect(text).toMatch(/^\(\(\)=>\{.*\}\)\(\);$/);
    expect(() => new Script(text)).not.toThrow();
    expect(text).not.toMatch(/\beval\b|Function\(|setTimeout\("|<\/script/);
  },
);
