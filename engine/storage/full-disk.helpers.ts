/** Owns: a process that writes until its quota of disk is full, then gives up that group. Not: the quota (ulimit). */
import { writeSync } from "node:fs";
import { StorageError } from "../errors.ts";
import { openSqliteStorage } from "./sqlite.ts";

const TEN_KILOBYTES = "x".repeat(10_000);
const MAX_GROUPS = 5_000;

process.on("SIGXFSZ", () => {});
const storage = openSqliteStorage({ path: process.argv[2] ?? "", durability: "power" });

/** The code of the failure, or null. */
function writeGroup(group: number): string | null {
  try {
    storage.apply([["last", String(group)]]);
    storage.apply([[`filler ${group}`, TEN_KILOBYTES]]);
    storage.flush();
    return null;
  } catch (error) {
    if (error instanceof StorageError) return error.code;
    throw error;
  }
}

let group = 1;
let failure = writeGroup(group);
while (failure === null && group < MAX_GROUPS) failure = writeGroup(++group);
storage.discard();
const found = storage.get("last");
writeSync(1, JSON.stringify({ failure, durableGroups: group - 1, found: Number(found) }));
