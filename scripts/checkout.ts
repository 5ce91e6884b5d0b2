/**
 * Owns: which files of this checkout are ours: everything but what tools make (see .gitignore).
 * Not: what is checked about them. It asks no git, so that an unpacked archive can be checked too.
 */
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "..");

const MADE_BY_TOOLS = new Set([
  "node_modules",
  "dist",
  ".git",
  ".footfall",
  "pictures",
  "coverage",
  "_generated",
]);
const SOURCE = /\.(ts|tsx|mjs|js)$/;

/** Apps that the engine's tests push; they are input, not part of the house. */
const FIXTURE_APP = /^tests\/.*\/app\//;

/** Paths relative to the root, with forward slashes, sorted. */
export function ourFiles(root: string = ROOT): string[] {
  const found: string[] = [];
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !MADE_BY_TOOLS.has(entry.name)) walk(path);
      else if (entry.isFile()) found.push(path);
    }
  };
  walk("");
  return found.sort();
}

export function ourSources(root: string = ROOT): string[] {
  return ourFiles(root).filter((path) => SOURCE.test(path) && !FIXTURE_APP.test(path));
}
