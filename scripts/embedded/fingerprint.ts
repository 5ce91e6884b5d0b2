/**
 * Owns: one hash over the files that a step depends on, so that the step can be skipped when none of them changed.
 * Not: where the hash is kept.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ourFiles, ROOT } from "../checkout.ts";

/** What the pushed functions are made from. */
export const PUSH_INPUTS = /^(convex|domain)\/|^(package-lock|convex)\.json$/;

/** What the built site is made from. */
export const SITE_INPUTS =
  /^(src|domain|public|convex)\/|^(package-lock\.json|index\.html|vite\.config\.ts|tsconfig.*\.json)$/;

const TEST_FILE = /\.(test|helpers)\.tsx?$/;

export function fingerprint(inputs: RegExp, root: string = ROOT): string {
  const hash = createHash("sha256");
  for (const path of ourFiles(root)) {
    if (!inputs.test(path) || TEST_FILE.test(path)) continue;
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
