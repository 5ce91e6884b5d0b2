/** Owns: the admin key's file in the data folder, readable by its owner only. Not: the key's form (auth/admin-key.ts). */
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAdminKey, isAdminKeyForm } from "../auth/admin-key.ts";
import { StartError } from "./start-error.ts";

const KEY_FILE = "admin.key";
const OWNER_ONLY = 0o600;

function readKey(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** The key of this folder, made at the first start. */
export function adminKeyOf(dataFolder: string): string {
  const path = join(dataFolder, KEY_FILE);
  const kept = readKey(path);
  if (kept === null) {
    const key = createAdminKey();
    writeFileSync(path, `${key}\n`, { mode: OWNER_ONLY, flag: "wx" });
    return key;
  }
  if (!isAdminKeyForm(kept)) {
    throw new StartError(
      `${path} does not hold an admin key. Remove the file; the next start makes a new key.`,
    );
  }
  chmodSync(path, OWNER_ONLY);
  return kept;
}
