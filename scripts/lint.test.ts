/** The linter's own planted bad examples: a rule that cannot fail is a defect. */
import { ESLint } from "eslint";
import { expect, test, vi } from "vitest";
import { ROOT } from "./checkout.ts";

// The first text that is linted makes ESLint read the types of the whole checkout.
vi.setConfig({ testTimeout: 240_000 });

// Where CI is "true" the parser takes one look at the disk and at no other text: it would see none of the bad examples.
const seesGivenText = { parserOptions: { disallowAutomaticSingleRunInference: true } };
const eslint = new ESLint({ cwd: ROOT, overrideConfig: { languageOptions: seesGivenText } });

/** Which rules complain when the file at `filePath` holds `text` instead of its own. */
async function complaints(filePath: string, text: string): Promise<string[]> {
  const [report] = await eslint.lintText(text, { filePath: `${ROOT}/${filePath}` });
  return (report?.messages ?? []).map(
    ({ ruleId, message }) => `${ruleId ?? "comment"}: ${message}`,
  );
}

test("swallowed errors, forgotten promises, loose types and switched-off rules are flagged", async () => {
  const found = await complaints(
    "scripts/checkout.ts",
    `export async function work(): Promise<number> {
      try { await work(); } catch { /* nothing */ }
      work();
      const loose: any = 1;
      return (loose as unknown as string).length; // eslint-disable-line
    }`,
  );
  const expected = [
    "An empty catch hides a failure",
    "no-floating-promises",
    "no-explicit-any",
    "`as unknown as` switches the types off",
    "has no effect",
  ];
  for (const part of expected) expect(found).toContainEqual(expect.stringContaining(part));
});

test("a function over 60 lines is flagged, and not in a test", async () => {
  const long = `export function long(): void {\n${"  console.log(1);\n".repeat(61)}}\n`;
  expect(await complaints("scripts/checkout.ts", long)).toEqual([
    expect.stringContaining("max-lines-per-function"),
  ]);
  expect(await complaints("scripts/lint.test.ts", long)).toEqual([]);
});

test("a rule of the model that goes through a public door is flagged", async () => {
  const text =
    'import { api } from "../_generated/api.js";\nexport const door = api.stats.settle;\n';
  expect(await complaints("convex/model/size.ts", text)).toContainEqual(
    expect.stringContaining("through a public door"),
  );
  expect(await complaints("convex/http.ts", text)).not.toContainEqual(
    expect.stringContaining("through a public door"),
  );
});

test("a door without args and returns, an unbounded read and v.any are flagged in convex/", async () => {
  const found = await complaints(
    "convex/crons.ts",
    `import { query } from "./_generated/server";
    import { v } from "convex/values";
    export const anything = v.any();
    export const all = query({ handler: async (ctx) => await ctx.db.query("pageViews").collect() });
    export const some = query(async (ctx) => await ctx.db.query("pageViews").filter((q) => q.eq(1, 1)).first());`,
  );
  const expected = [
    "v.any() validates nothing",
    "add \`returns\`",
    "no-collect-in-query",
    "no-filter-in-query",
    "require-args-validator",
    "no-old-registered-function-syntax",
  ];
  for (const part of expected) expect(found).toContainEqual(expect.stringContaining(part));
});

test("a test that sleeps or is switched off is flagged", async () => {
  const found = await complaints(
    "scripts/lint.test.ts",
    `import { test } from "vitest";
    test.skip("later", async () => { await new Promise((resolve) => setTimeout(resolve, 50)); });`,
  );
  expect(found).toContainEqual(expect.stringContaining("Tests never sleep"));
  expect(found).toContainEqual(expect.stringContaining("switched off only reassures"));
});
