import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./checkout.ts";

const FROM_THE_TOP = /^(tests|scripts|bench|convex|domain|src)\//;
const NAMED = /`((?:[\w.-]+\/)+[\w.-]+\.ts)`/g;

const readme = readFileSync(join(ROOT, "engine/README.md"), "utf8");
const pathOf = (name: string): string =>
  join(ROOT, FROM_THE_TOP.test(name) ? name : `engine/${name}`);
const lost = (text: string): string[] =>
  [...text.matchAll(NAMED)]
    .map(([, name = ""]) => name)
    .filter((name) => !existsSync(pathOf(name)));

test("every file that engine/README.md names is there", () => {
  expect(lost(readme)).toEqual([]);
  expect(lost("`storage/lock.test.ts`, `storage/moved.test.ts`")).toEqual([
    "storage/moved.test.ts",
  ]);
});

test("each feature of engine/README.md says whether it is there, and names a file that shows it", () => {
  const [table = ""] = readme.split("## What it supports")[1]?.split("\n## ") ?? [];
  const rows = table
    .split("\n")
    .filter((line) => line.startsWith("| ") && !/^\| (-|feature|\*\*)/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()));
  expect(rows.length).toBeGreaterThan(30);
  for (const [, feature, state = "", , shownBy = ""] of rows) {
    expect(state, feature).toMatch(/^(yes|partly|no)$/);
    expect(shownBy, feature).toMatch(NAMED);
  }
});
