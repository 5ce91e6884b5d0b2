import { defineConfig } from "vitest/config";

// Patience is for a machine that does ten other things at once; nothing here waits for time to pass.
/** Not from tests/long.helpers.ts: what this file imports, Vitest takes to be related to every test. */
const PATIENCE = process.env["FOOTFALL_LONG"] === "1" ? 30 : 1;

/** Property tests begin at one seed, except in the long run. */
const SEED = "tests/seed.setup.ts";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          setupFiles: [SEED],
          include: ["{domain,engine,convex,src,scripts,bench}/**/*.test.{ts,tsx}"],
          testTimeout: 120_000 * PATIENCE,
          hookTimeout: 120_000 * PATIENCE,
        },
      },
      {
        test: {
          name: "conformance",
          environment: "node",
          setupFiles: [SEED],
          include: ["tests/conformance/**/*.test.ts"],
          testTimeout: 240_000 * PATIENCE,
          hookTimeout: 240_000 * PATIENCE,
        },
      },
      {
        test: {
          name: "browser",
          environment: "node",
          setupFiles: [SEED],
          globalSetup: ["tests/e2e/deployed.setup.ts"],
          include: ["tests/e2e/**/*.test.ts"],
          testTimeout: 240_000 * PATIENCE,
          hookTimeout: 240_000 * PATIENCE,
          fileParallelism: false,
        },
      },
    ],
  },
});
