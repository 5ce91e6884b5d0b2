import { describe, expect, test } from "vitest";
import { offencesIn } from "./arrows.ts";

const never = () => false;
const complaint = (path: string, source: string) =>
  offencesIn(path, source, never).map(({ message }) => message);

describe("the arrows check flags", () => {
  const planted = [
    [
      "domain/path.ts",
      `import { DEDUP } from "../convex/schema.ts";`,
      "domain must not import convex/schema",
    ],
    [
      "engine/sync/session.ts",
      `import { DEDUP } from "../../domain/intervals.ts";`,
      "engine/sync must not import domain",
    ],
    [
      "engine/storage/sqlite.ts",
      `export * from "../transactions/commit.ts";`,
      "must not import engine/transactions",
    ],
    [
      "engine/sync/session.ts",
      `type A = import("../storage/storage.ts").Storage;`,
      "must not import engine/storage",
    ],
    [
      "convex/model/views.ts",
      `import { record } from "../stats.ts";`,
      "convex/model must not import convex/doors",
    ],
    [
      "convex/stats.ts",
      `const later = await import("../src/site/App.tsx");`,
      "convex/doors must not import src/site",
    ],
    [
      "src/tracking/tracker.ts",
      `import { Panel } from "../stats/Panel.tsx";`,
      "src/tracking must not import src/stats",
    ],
    [
      "src/stats/Page.tsx",
      `import { f } from "../../convex/model/views.ts";`,
      "src/stats must not import convex/model",
    ],
    [
      "src/site/App.tsx",
      `import { f } from "../../tests/e2e/harness.ts";`,
      "src/site must not import tests",
    ],
    [
      "domain/path.ts",
      `import { v } from "convex/values";`,
      "domain must not import the package convex/values",
    ],
    ["engine/values/keys.ts", `import lodash from "lodash";`, "must not import the package lodash"],
    ["attic/old.ts", ``, "attic/old.ts is in no room"],
  ] as const;

  test.each(planted)("%s with %s", (path, source, expected) => {
    expect(complaint(path, source)).toEqual([expect.stringContaining(expected)]);
  });

  test("the line on which the import stands", () => {
    const source = `import { a } from "./a.ts";\n\nimport { b } from "../convex/stats.ts";\n`;
    expect(offencesIn("domain/b.ts", source, never)).toMatchObject([
      { file: "domain/b.ts", line: 3 },
    ]);
  });
});

describe("the arrows check lets through", () => {
  const allowed = [
    ["domain/visits.ts", `import { DEDUP_WINDOW_MS } from "./intervals.ts";`],
    [
      "convex/stats.ts",
      `import { record } from "./model/views";\nimport { query } from "./_generated/server";`,
    ],
    [
      "src/site/App.tsx",
      `import "./site.css";\nimport { usePageTracking } from "../tracking/usePageTracking.ts";`,
    ],
    ["engine/server/start.ts", `import { openApplication } from "../open-application.ts";`],
    ["engine/values/keys.test.ts", `import { DEDUP_WINDOW_MS } from "../../domain/intervals.ts";`],
  ] as const;

  test.each(allowed)("%s with %s", (path, source) => {
    expect(complaint(path, source)).toEqual([]);
  });
});

test("an import without an extension is judged by the file that it finds", () => {
  const exists = (path: string) => path === "convex/stats.ts";
  expect(offencesIn("convex/model/views.ts", `import { a } from "../stats";`, exists)).toHaveLength(
    1,
  );
});
