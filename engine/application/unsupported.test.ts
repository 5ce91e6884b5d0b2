import { expect, test } from "vitest";
import { bundleApp } from "./test-app.helpers.ts";
import { TestEngine } from "./test-engine.helpers.ts";
import { createMemoryStorage } from "../storage/memory.ts";

const APP = {
  "calls.ts": `
    import { mutationGeneric as mutation, queryGeneric as query, actionGeneric as action } from "convex/server";
    export const search = query((ctx) => ctx.db.query("items").withSearchIndex("s", (q) => q.search("size", "x")).collect());
    export const vector = action((ctx) => ctx.vectorSearch("items", "v", { vector: [1], limit: 1 }));
    export const signed = mutation((ctx) => ctx.auth.signJwt({ sub: "x" }));`,
};

const FEATURES: readonly (readonly ["query" | "mutation" | "action", string, string])[] = [
  [
    "query",
    "search",
    "Full text search (withSearchIndex) is not supported by the embedded engine.",
  ],
  ["action", "vector", "Vector search (ctx.vectorSearch) is not supported by the embedded engine."],
  [
    "mutation",
    "signed",
    "Signing tokens (ctx.auth.signJwt) is not supported by the embedded engine.",
  ],
];

test.each(FEATURES)(
  "the %s %s fails with a sentence that names the feature and the way out",
  async (kind, name, sentence) => {
    const engine = await TestEngine.deployed(createMemoryStorage(), APP);
    const { message } = await engine.failure(kind, `calls:${name}`);
    expect(message).toContain(sentence);
    expect(message).toContain("or move to Convex with `npx convex deploy`.");
    expect(engine.internalErrors).toEqual([]);
  },
);

test("routes of a component are refused when they are pushed, with the prefix and the way out", async () => {
  const engine = await TestEngine.open(createMemoryStorage());
  const request = await bundleApp({
    "convex.config.ts": `
      import { defineApp } from "convex/server";
      import aggregate from "@convex-dev/aggregate/convex.config";
      const app = defineApp();
      app.use(aggregate, { httpPrefix: "/sums/" });
      export default app;`,
  });
  await expect(engine.application.deployments.stage(request)).rejects.toThrow(
    /HTTP routes of components \(httpPrefix "\/sums\/"\) are not supported by the embedded engine\. Route them in the app's http\.ts/,
  );
  await engine.application.close();
});
