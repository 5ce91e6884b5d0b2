/** Owns: a process that holds a data folder until it is killed. Prints "held", or the reason why it cannot. */
import { writeSync } from "node:fs";
import { DataFolderError } from "../errors.ts";
import { lockDataFolder } from "./lock.ts";

try {
  lockDataFolder(process.argv[2] ?? "");
  writeSync(1, "held\n");
  setInterval(() => {}, 60_000);
} catch (error) {
  if (!(error instanceof DataFolderError)) throw error;
  writeSync(1, `${error.code}: ${error.message}\n`);
}
