/**
 * Owns: rows of the original design, as a site brings them along, and counting them.
 * Not: the backfill (convex/model/backfill.ts).
 */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../checkout.ts";
import type { Engine } from "../embedded/env-file.ts";
import { cliEnvFile } from "../embedded/push.ts";
import { run } from "../processes.ts";

const ROWS = 40_000;
const ROWS_A_CALL = 1_000;
const APART_MS = 97_000;

const SEED_MODULE = `import { internalMutation } from "./_generated/server.js";
import { v } from "convex/values";
const row = v.object({ path: v.string(), pageType: v.string(), sessionId: v.string(), timestamp: v.number() });
export const rows = internalMutation({
  args: { rows: v.array(row) },
  returns: v.null(),
  handler: async (ctx, { rows }) => { for (const row of rows) await ctx.db.insert("pageViews", row); return null; },
});`;

const PATHS = [
  "/",
  "/posts/how-footfall-counts",
  "/posts/install-footfall",
  "/about",
  "/notes/one",
];

/** Puts the rows in, by a function that is pushed beside Footfall's own. */
export async function seedOldRows(engine: Engine): Promise<void> {
  await pushWithSeed(engine);
  const end = Date.now() - 60 * 60_000;
  for (let from = 0; from < ROWS; from += ROWS_A_CALL) {
    const rows = Array.from({ length: ROWS_A_CALL }, (_, index) => oldRow(from + index, end));
    await callInternal(engine, "seed:rows", { rows });
  }
}

export async function startBackfill(engine: Engine): Promise<void> {
  await callInternal(engine, "stats:backfillAggregates", {});
}

function oldRow(index: number, end: number) {
  const path = PATHS[(index * index + (index >> 3)) % PATHS.length] ?? "/";
  return {
    path,
    pageType: path === "/" ? "home" : "post",
    sessionId: `old-${(index * 31) % 9_000}`,
    timestamp: end - (ROWS - index) * APART_MS,
  };
}

async function pushWithSeed(engine: Engine): Promise<void> {
  const project = mkdtempSync(join(tmpdir(), "footfall-pictures-project-"));
  try {
    for (const path of ["package.json", "tsconfig.base.json", "convex", "domain"]) {
      cpSync(join(ROOT, path), join(project, path), { recursive: true });
    }
    symlinkSync(join(ROOT, "node_modules"), join(project, "node_modules"));
    writeFileSync(join(project, "convex", "seed.ts"), SEED_MODULE);
    const where = ["deploy", "--env-file", cliEnvFile(engine)];
    const args = [...where, "--typecheck", "disable", "--yes"];
    const { code, output } = await run("convex", args, { cwd: project, env: { CI: "1" } });
    if (code !== 0) throw new Error(`The push failed:\n${output}`);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** A function that the deployment's key alone may call. */
/** Gives what it answers. */
export async function callInternal(
  { url, adminKey }: Engine,
  path: string,
  args: object,
): Promise<unknown> {
  const response = await fetch(`${url}/api/function`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Convex ${adminKey}` },
    body: JSON.stringify({ path, args, format: "json" }),
  });
  const text = await response.text();
  if (!response.ok || text.includes('"status":"error"')) throw new Error(`${path} failed: ${text}`);
  return (JSON.parse(text) as { value?: unknown }).value;
}
