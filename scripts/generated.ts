/**
 * Owns: the check that convex/_generated is what the official `convex codegen` makes of convex/; with --write it is
 * made so.
 * Not: what codegen makes. It runs on a copy of the checkout, against an engine of its own.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./checkout.ts";
import { openEngine } from "./embedded/engine.ts";
import { endAll, endChildrenOnExit, run } from "./processes.ts";

const GENERATED = "convex/_generated";

/** What codegen reads. */
const COPIED = ["package.json", "tsconfig.base.json", "convex.json", "convex", "domain"];

endChildrenOnExit();
const scratch = mkdtempSync(join(tmpdir(), "footfall-generated-"));
try {
  const problems = await compare();
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await endAll();
  rmSync(scratch, { recursive: true, force: true });
}

async function compare(): Promise<string[]> {
  const copy = join(scratch, "copy");
  for (const path of COPIED) {
    if (existsSync(join(ROOT, path)))
      cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const { code, output } = await generate(copy);
  if (code !== 0) return [`convex codegen failed:\n${output.trimEnd()}`];

  const before = filesIn(join(ROOT, GENERATED));
  const after = filesIn(join(copy, GENERATED));
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  const stale = paths.filter((path) => before.get(path) !== after.get(path));
  if (process.argv.includes("--write")) {
    cpSync(join(copy, GENERATED), join(ROOT, GENERATED), { recursive: true });
    return [];
  }
  return stale.map(
    (path) =>
      `${GENERATED}/${path} is not what convex codegen makes: run npm run codegen and commit it.`,
  );
}

async function generate(folder: string) {
  const engine = await openEngine({
    dataFolder: join(scratch, "data"),
    host: "127.0.0.1",
    port: null,
  });
  try {
    return await run("convex", ["codegen", "--typecheck", "disable"], {
      cwd: folder,
      env: {
        CI: "1",
        CONVEX_DEPLOYMENT: "",
        CONVEX_SELF_HOSTED_URL: engine.url,
        CONVEX_SELF_HOSTED_ADMIN_KEY: engine.adminKey,
      },
    });
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
