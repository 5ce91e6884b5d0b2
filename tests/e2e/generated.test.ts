import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../scripts/checkout.ts";
import { staleFiles } from "../../scripts/generated.ts";
import { newFolder, removeFolder } from "./footfall.helpers.ts";

test("a module that codegen has not seen, an edited file and one too many are flagged, and writing mends all three", async () => {
  const checkout = newFolder("stale");
  onTestFinished(() => removeFolder(checkout));
  for (const path of ["package.json", "tsconfig.base.json", "convex", "domain"]) {
    cpSync(join(ROOT, path), join(checkout, path), { recursive: true });
  }
  const generated = join(checkout, "convex/_generated");
  mkdirSync(generated, { recursive: true });
  writeFileSync(join(checkout, "convex/added.ts"), "export const added = 1;\n");
  appendFileSync(join(generated, "server.js"), "// by hand\n");
  writeFileSync(join(generated, "extra.js"), "");

  expect(await staleFiles(checkout)).toEqual([
    "convex/_generated/api.d.ts",
    "convex/_generated/extra.js",
    "convex/_generated/server.js",
  ]);
  expect(await staleFiles(checkout, { write: true })).toEqual([]);
  rmSync(join(generated, "api.js"));
  expect(await staleFiles(checkout)).toEqual(["convex/_generated/api.js"]);
});
