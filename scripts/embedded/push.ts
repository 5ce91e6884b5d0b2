/**
 * Owns: getting convex/ into the engine with the official CLI, and skipping that when the engine already runs it.
 * Not: how the engine takes it (engine/push).
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { run } from "../processes.ts";
import { fingerprint, PUSH_INPUTS } from "./fingerprint.ts";
import type { Engine } from "./env-file.ts";

/** Beside the data: which sources the engine runs, and what the engine itself said it runs then. */
const STAMP_FILE = "pushed.json";
const CLI_ENV_FILE = "cli.env";

type Stamp = { readonly sources: string; readonly deployed: string };

/** A push that the engine refused; the message is for the person at the terminal. */
export class PushRefused extends Error {}

/** The file that points the CLI at this engine: `npx convex run … --env-file <path>`. */
export function cliEnvFile(engine: Engine): string {
  return join(engine.dataFolder, CLI_ENV_FILE);
}

export function writeCliEnvFile(engine: Engine): void {
  const text = `CONVEX_SELF_HOSTED_URL=${engine.url}\nCONVEX_SELF_HOSTED_ADMIN_KEY=${engine.adminKey}\n`;
  writeFileSync(cliEnvFile(engine), text, { mode: 0o600 });
}

/** Returns false when nothing had to be pushed. `root` is the checkout whose convex/ is pushed. */
export async function pushFunctions(engine: Engine): Promise<boolean> {
  const sources = fingerprint(PUSH_INPUTS);
  const stampPath = join(engine.dataFolder, STAMP_FILE);
  const last = readStamp(stampPath);
  if (last?.sources === sources && last.deployed === (await deployedHash(engine))) return false;

  const args = [
    "deploy",
    "--env-file",
    cliEnvFile(engine),
    "--typecheck",
    "disable",
    "--codegen",
    "disable",
    "--yes",
  ];
  const { code, output } = await run("convex", args, { env: { CI: "1" } });
  if (code !== 0) throw new PushRefused(reasonIn(output));
  const stamp: Stamp = { sources, deployed: await deployedHash(engine) };
  writeFileSync(stampPath, JSON.stringify(stamp));
  return true;
}

function readStamp(path: string): Stamp | null {
  if (!existsSync(path)) return null;
  const stamp: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (
    typeof stamp !== "object" ||
    stamp === null ||
    !("sources" in stamp) ||
    !("deployed" in stamp)
  )
    return null;
  return { sources: String(stamp.sources), deployed: String(stamp.deployed) };
}

/** Hash over what the engine says that it runs, so that a push from elsewhere or another database is noticed. */
async function deployedHash(engine: Engine): Promise<string> {
  const response = await fetch(`${engine.url}/api/get_config_hashes`, {
    method: "POST",
    headers: { Authorization: `Convex ${engine.adminKey}`, "Content-Type": "application/json" },
    body: "{}",
  });
  return createHash("sha256")
    .update(await response.text())
    .digest("hex");
}

/** The CLI's own words, from the first line that tells a failure, without colours and progress. */
function reasonIn(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const first = lines.findIndex((line) => /^✖|error|failed/i.test(line));
  return lines.slice(Math.max(first, 0)).join("\n");
}
