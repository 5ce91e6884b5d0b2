/**
 * Owns: `npm run backup`: a copy of the data in one file, while the engine runs or not.
 * Not: how it is made and checked (engine/storage/backup.ts).
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { StorageError } from "../engine/errors.ts";
import { backUpDatabase } from "../engine/storage/backup.ts";
import { DEFAULT_DATA_FOLDER } from "./options.ts";

const BYTES_PER_MB = 1_000_000;

const BACKUP_USAGE = `Copies the data of the embedded engine into one file, also while it runs, and checks the copy.

  npm run backup [-- --data DIR] [--to FILE]

  --data DIR  the data folder (default: ${DEFAULT_DATA_FOLDER}/)
  --to FILE   the file to make (default: footfall-<date and time>.sqlite here); nothing is overwritten
  --help      show this text

To restore, put the file as footfall.sqlite into an empty folder and run npm start -- --data <that folder>.
Pushed code and environment variables are in the copy; the admin key is not, a new one is made.`;

process.exitCode = main(process.argv.slice(2));

function main(args: readonly string[]): number {
  try {
    const { data, to, help } = parse(args);
    if (help === true) {
      console.log(BACKUP_USAGE);
      return 0;
    }
    const file = resolve(to ?? `footfall-${new Date().toISOString().replace(/[:.]/g, "-")}.sqlite`);
    const { bytes, pairs } = backUpDatabase(resolve(data ?? DEFAULT_DATA_FOLDER), file);
    const megabytes = (bytes / BYTES_PER_MB).toFixed(1);
    console.log(`Copied and checked: ${file} (${megabytes} MB, ${pairs} entries)`);
    return 0;
  } catch (error) {
    if (!(error instanceof StorageError) && !isBadOption(error)) throw error;
    console.error(error.message);
    return 1;
  }
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = { data: text, to: text, help: { type: "boolean", short: "h" } } as const;
  return parseArgs({ args: [...args], options, allowPositionals: false }).values;
}

function isBadOption(error: unknown): error is Error {
  return (
    error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")
  );
}
