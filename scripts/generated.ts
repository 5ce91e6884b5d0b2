/**
 * Owns: the check that convex/_generated is what the official `convex codegen` makes of convex/, and the served script
 * what the build makes of src/tracking; with --write both are made so.
 * Not: what codegen makes, which runs on a copy of the checkout, against an engine of its own; the script's build
 * (tracking-script.ts).
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./checkout.ts";
import { openEngine } from "./embedded/engine.ts";
import { endAll, endChildrenOnExit, run } from "./processes.ts";
import { SCRIPT_MODULE, scriptModule } from "./tracking-script.ts";

const GENERATED = "convex/_generated";

/** What codegen reads. */
const COPIED = ["package.json", "tsconfig.base.json", "convex.json", "convex", "domain"];

if (import.meta.main) {
  endChildrenOnExit();
  const mode = { write: process.argv.includes("--write") };
  // The script first: codegen reads the folder that its module lies in.
  const stale = [...(await staleScript(ROOT, mode)), ...(await staleFiles(ROOT, mode))];
  for (const path of stale) {
    console.log(`${path} is not what its sources make: run npm run codegen and commit it.`);
  }
  process.exitCode = stale.length === 0 ? 0 : 1;
}

/** The module of the built script, when it is not what its sources make; none after it was written. */
export async function staleScript(root: string, { write = false } = {}): Promise<string[]> {
  const path = join(root, SCRIPT_MODULE);
  const made = await scriptModule();
  if (write) writeFileSync(path, made);
  return existsSync(path) && readFileSync(path, "utf8") === made ? [] : [SCRIPT_MODULE];
}

/** Files of convex/_generated that differ, are missing or are too many; none after they were written. */
export async function staleFiles(root: string, { write = false } = {}): Promise<string[]> {
  const scratch = mkdtempSync(join(tmpdir(), "footfall-generated-"));
  try {
    const made = join(await generate(root, scratch), GENERATED);
    const committed = join(root, GENERATED);
    if (write) {
      rmSync(committed, { recursive: true, force: true });
      cpSync(made, committed, { recursive: true });
    }
    const before = filesIn(committed);
    const after = filesIn(made);
    const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
    return paths
      .filter((path) => before.get(path) !== after.get(path))
      .map((path) => `${GENERATED}/${path}`);
  } finally {
    await endAll();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Returns a copy of the checkout whose generated code is fresh. */
async function generate(root: string, scratch: string): Promise<string> {
  const copy = join(scratch, "copy");
  for (const path of COPIED) {
    const original = join(root, path);
    if (existsSync(original)) cpSync(original, join(copy, path), { recursive: true });
  }
  rmSync(join(copy, GENERATED), { recursive: true, force: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const dataFolder = join(scratch, "data");
  const engine = await openEngine({ dataFolder, host: "127.0.0.1", port: 0 });
  try {
    const { code, output } = await run("convex", ["codegen", "--typecheck", "disable"], {
      cwd: copy,
      env: {
        CI: "1",
        CONVEX_DEPLOYMENT: "",
        CONVEX_SELF_HOSTED_URL: engine.url,
        CONVEX_SELF_HOSTED_ADMIN_KEY: engine.adminKey,
      },
    });
    if (code !== 0) throw new Error(`convex codegen failed:\n${output.trimEnd()}`);
    return copy;
  } finally {
    await engine.close();
  }
}

function filesIn(folder: string): Map<string, string> {
  const paths = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
    : [];
  const files = paths.filter((path) => /\.(ts|js)$/.test(path));
  return new Map(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}
