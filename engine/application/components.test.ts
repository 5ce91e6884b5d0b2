import { expect, test } from "vitest";
import { ADMIN, TestEngine, VISITOR, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "convex.config.ts": `
    import { defineApp } from "convex/server";
    import aggregate from "@convex-dev/aggregate/convex.config";
    const app = defineApp();
    app.use(aggregate, { name: "byScore" });
    app.use(aggregate, { name: "byName" });
    export default app;`,
  "calls.ts": `
    import { queryGeneric as query, componentsGeneric } from "convex/server";
    const components = componentsGeneric();
    export const nothing = query((ctx) => ctx.runQuery(components.byScore.nothing.here, {}));`,
};

// How components behave is in tests/conformance/raw/nesting.ts and tests/conformance/official/.
onEachStore((newStore) => {
  test("a component's functions are the app's alone: an admin reaches them, a visitor does not", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const target = { componentPath: "byScore", path: "btree:aggregateBetween" };
    expect(engine.application.functionKind(target, VISITOR)).toBeNull();
    expect(engine.application.functionKind(target, ADMIN)).toBe("query");
    const { message } = await engine.failure("query", "calls:nothing");
    expect(message).toContain(
      "Could not find function for 'nothing:here' in component \"byScore\".",
    );
  });

  test("components nest, each instance with tables of its own", async () => {
    const engine = await TestEngine.deployed(newStore()(), APP);
    const staged = await engine.application.deployments.stage(
      engine.application.deployments.current() ?? { definitions: [] },
    );
    expect(staged.instances.map((instance) => instance.componentPath)).toEqual([
      "",
      "byScore",
      "byScore/batchWorker",
      "byName",
      "byName/batchWorker",
    ]);
  });
});
