/**
 * Owns: the table of checks that are not tests, and running them two at a time.
 * Not: tests (test.ts), and what each rule says (ESLint, arrows.ts, smells.ts, generated.ts).
 */
import { describeOffence, offences, type HouseCheck } from "./house.ts";
import { run, type Outcome } from "./processes.ts";

export type Check = { readonly name: string; readonly run: () => Promise<Outcome> };

/** Longest first, so that the last one to finish is a short one. */
export const CHECKS: readonly Check[] = [
  lint("engine, tests, tools", ["engine", "domain", "tests", "bench", "scripts", "*.config.*"]),
  lint("convex, site", ["convex", "src", "public"]),
  {
    name: "generated code is up to date",
    run: () => run(process.execPath, ["scripts/generated.ts"]),
  },
  types("engine, scripts, tests", "tsconfig.json"),
  types("site", "tsconfig.site.json"),
  types("convex", "convex/tsconfig.json"),
  { name: "format", run: () => run("prettier", ["--check", "--log-level", "warn", "."]) },
  house("arrows"),
  house("smells"),
];

/** The two cores that a small machine has. */
const CHECKS_AT_ONCE = 2;

/** In two halves, because ESLint uses one core. */
function lint(what: string, paths: readonly string[]): Check {
  return { name: `lint of ${what}`, run: () => run("eslint", ["--max-warnings", "0", ...paths]) };
}

function types(what: string, project: string): Check {
  const info = `node_modules/.cache/${project.replaceAll("/", "-")}.tsbuildinfo`;
  const args = ["-p", project, "--noEmit", "--incremental", "--tsBuildInfoFile", info];
  return { name: `types of ${what}`, run: () => run("tsc", args) };
}

function house(check: HouseCheck): Check {
  return {
    name: check,
    run: () => {
      const found = offences(check);
      return Promise.resolve({
        code: found.length === 0 ? 0 : 1,
        output: found.map(describeOffence).join("\n"),
      });
    },
  };
}

export type Tally = { readonly passed: number; readonly failed: number };

/** Prints one line a check, and what a failed one said. */
export async function runChecks(checks: readonly Check[] = CHECKS): Promise<Tally> {
  const waiting = [...checks];
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const startedAt = performance.now();
      const { code, output } = await check.run();
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${code === 0 ? "ok    " : "FAILED"}  ${check.name} (${seconds} s)`);
      if (code === 0) continue;
      failed += 1;
      console.log(output.trimEnd().replaceAll(/^/gm, "        "));
    }
  };
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, work));
  return { passed: checks.length - failed, failed };
}
