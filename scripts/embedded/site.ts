/**
 * Owns: the built site in dist/, made anew only when its sources changed.
 * Not: serving it (engine/server), and how it is built (vite.config.ts).
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { ROOT } from "../checkout.ts";
import { fingerprint, SITE_INPUTS } from "./fingerprint.ts";

export const SITE_FOLDER = join(ROOT, "dist");

/** In dist/ itself, so that it goes away with whatever empties the folder. */
const SITE_STAMP = join(SITE_FOLDER, ".built-from");

/** Returns false when the site was up to date. */
export async function buildSite(): Promise<boolean> {
  const sources = fingerprint(SITE_INPUTS);
  const upToDate = existsSync(join(SITE_FOLDER, "index.html")) && existsSync(SITE_STAMP);
  if (upToDate && readFileSync(SITE_STAMP, "utf8") === sources) return false;
  // No .env files: served by the engine, the API is where the page is, whatever deployment .env.local names.
  await build({ root: ROOT, envDir: false, logLevel: "error" });
  writeFileSync(SITE_STAMP, sources);
  return true;
}
