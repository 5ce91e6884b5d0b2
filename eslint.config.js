/**
 * Owns: the rules of house.md that a linter can see (smells 2, 4, 5, 6).
 * Not: who may import whom (scripts/arrows.ts), long files and constants that stand twice (scripts/smells.ts).
 */
import convexPlugin from "@convex-dev/eslint-plugin";
import { defineConfig, globalIgnores } from "eslint/config";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const TYPESCRIPT = ["**/*.ts", "**/*.tsx"];
const TESTS = ["**/*.test.ts", "**/*.test.tsx", "**/*.helpers.ts", "**/*.helpers.tsx", "tests/**"];

const REGISTRARS = "/^(internal)?(query|mutation|action|Query|Mutation|Action)$/";

const EMPTY_CATCH = {
  selector: "CatchClause > BlockStatement[body.length=0]",
  message: "An empty catch hides a failure: handle it, return a value, or let it through.",
};
const ANY_VALIDATOR = {
  selector: "CallExpression[callee.object.name='v'][callee.property.name='any']",
  message: "v.any() validates nothing: write down the shape.",
};
const DOUBLE_CAST = {
  selector: "TSAsExpression > TSAsExpression > TSUnknownKeyword",
  message: "`as unknown as` switches the types off: validate the value, or type its source.",
};
const MISSING_RETURNS = {
  selector: `CallExpression[callee.name=${REGISTRARS}] > ObjectExpression:not(:has(> Property[key.name='returns']))`,
  message: "A registered function says what it returns: add `returns`.",
};
const PUBLIC_DOOR = {
  selector: "ImportSpecifier[imported.name='api']",
  message: "A rule asks whoever may read through a public door: use `internal`.",
};
const SLEEP_IN_TEST = {
  selector:
    "CallExpression[callee.name='setTimeout'] > Identifier[name=/^r(es|esolve)?$/]:first-child",
  message: "Tests never sleep: wait for the condition itself, or move a manual clock.",
};
const FIXED_WAIT = {
  selector: "CallExpression[callee.property.name='waitForTimeout']",
  message: "Tests never sleep: wait for what should appear.",
};
const SWITCHED_OFF = {
  selector:
    "MemberExpression[object.name=/^(test|it|describe)$/][property.name=/^(only|skip|todo)$/]",
  message: "A test that is switched off only reassures: mend it or remove it.",
};

const IN_CONVEX = [EMPTY_CATCH, ANY_VALIDATOR, DOUBLE_CAST, MISSING_RETURNS];

function typesFrom(project, files) {
  const parserOptions = { project, tsconfigRootDir: import.meta.dirname };
  return { files, ignores: ["**/*.{js,mjs}"], languageOptions: { parserOptions } };
}

export default defineConfig(
  globalIgnores([
    "**/_generated/**",
    "**/dist/**",
    ".footfall/**",
    "pictures/**",
    "coverage/**",
    "tests/**/app/**",
  ]),
  // No comment can switch a rule off: a rule that makes a place worse is changed here, with the reason.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "error" } },
  {
    files: TYPESCRIPT,
    extends: [tseslint.configs.recommendedTypeChecked],
    rules: {
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "no-empty": ["error", { allowEmptyCatch: false }],
      "no-restricted-syntax": ["error", EMPTY_CATCH, ANY_VALIDATOR, DOUBLE_CAST],
      eqeqeq: ["error", "always"],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      // An implementation of an asynchronous interface may have nothing to wait for.
      "@typescript-eslint/require-await": "off",
    },
  },
  // Named one by one: the parser would try each for every file, and read all types three times.
  typesFrom("./tsconfig.json", ["{engine,domain,scripts,tests,bench}/**", "*.config.ts"]),
  typesFrom("./tsconfig.site.json", ["src/**"]),
  typesFrom("./convex/tsconfig.json", ["convex/**"]),
  {
    files: ["convex/**/*.ts"],
    ignores: TESTS,
    plugins: { "@convex-dev": convexPlugin },
    rules: {
      "@convex-dev/explicit-table-ids": "error",
      "@convex-dev/no-collect-in-query": "error",
      "@convex-dev/no-duplicate-indexes": "error",
      "@convex-dev/no-filter-in-query": "error",
      "@convex-dev/no-old-registered-function-syntax": "error",
      "@convex-dev/no-process-env": "error",
      "@convex-dev/no-schema-import-cycle": "error",
      "@convex-dev/no-top-of-hour-crons": "error",
      "@convex-dev/require-args-validator": "error",
      "no-restricted-syntax": ["error", ...IN_CONVEX],
    },
  },
  // The site's own work must not hang on who may read its numbers.
  {
    files: ["convex/model/**/*.ts"],
    ignores: TESTS,
    rules: { "no-restricted-syntax": ["error", ...IN_CONVEX, PUBLIC_DOOR] },
  },
  { files: ["src/**/*.{ts,tsx}"], extends: [reactHooks.configs.flat.recommended] },
  {
    files: TESTS,
    rules: {
      "max-lines-per-function": "off",
      "no-restricted-syntax": ["error", EMPTY_CATCH, SLEEP_IN_TEST, FIXED_WAIT, SWITCHED_OFF],
    },
  },
);
