/**
 * Owns: the process that the crash test kills: it writes groups for ever and prints the number of each durable one.
 * Not: the judgement of what is left (sqlite.crash.test.ts).
 *
 * Group n writes n into five keys and appends one pair, in two applies. Its log is copied every few groups, so that
 * kills hit that, too.
 */
import { writeSync } from "node:fs";
import { openSqliteStorage } from "./sqlite.ts";

const path = process.argv[2] ?? "";
const storage = openSqliteStorage({ path, durability: "power", checkpointAfterPages: 20 });
const last = Number(storage.get("copy 0") ?? "0");

for (let group = last + 1; ; group++) {
  storage.apply(["copy 0", "copy 1", "copy 2"].map((key) => [key, String(group)] as const));
  storage.apply([
    ["copy 3", String(group)],
    ["copy 4", String(group)],
    [`group ${String(group).padStart(8, "0")}`, "x".repeat(500)],
  ]);
  storage.flush();
  writeSync(1, `${group}\n`);
}
