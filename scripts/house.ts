/**
 * Owns: running arrows and smells over this checkout and saying where each offence stands.
 * Not: the rules themselves (arrows.ts, smells.ts). Run it alone with `node scripts/house.ts`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { offencesIn } from "./arrows.ts";
import { ourSources, ROOT } from "./checkout.ts";
import type { Offence } from "./offence.ts";
import { longFiles, lostPointers, repeatedConstants, type SourceFile } from "./smells.ts";

const HOUSE_CHECKS = {
  arrows: (files: readonly SourceFile[]) => {
    const paths = new Set(files.map(({ path }) => path));
    return files.flatMap(({ path, text }) => offencesIn(path, text, (other) => paths.has(other)));
  },
  smells: (files: readonly SourceFile[]) => [
    ...longFiles(files),
    ...repeatedConstants(files),
    ...lostPointers(files),
  ],
} satisfies Record<string, (files: readonly SourceFile[]) => Offence[]>;

export type HouseCheck = keyof typeof HOUSE_CHECKS;

export function offences(check: HouseCheck): Offence[] {
  return HOUSE_CHECKS[check](
    ourSources().map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") })),
  );
}

export function describeOffence({ file, line, message }: Offence): string {
  return `${file}:${line}  ${message}`;
}

if (import.meta.main) {
  const found = [...offences("arrows"), ...offences("smells")];
  for (const offence of found) console.log(describeOffence(offence));
  process.exitCode = found.length === 0 ? 0 : 1;
}
