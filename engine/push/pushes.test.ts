import { describe, expect, test } from "vitest";
import type { Deployments, DeployRequest, StagedDeployment } from "../application.ts";
import { hashOf } from "./module-hashes.ts";
import { Pushes } from "./pushes.ts";

const module = (path: string, source: string) => ({ path, source, sourceMap: null });
const pushOf = (changedModules: object[], rest: object = {}) => ({
  appDefinition: {
    definition: null,
    dependencies: [],
    schema: null,
    changedModules,
    unchangedModuleHashes: [],
    ...rest,
  },
  componentDefinitions: [],
  nodeDependencies: [],
});

/** A deployment that keeps what was activated; `violation` is what old rows have against it. */
function deployments(options: { violation?: string; activationFails?: boolean } = {}) {
  let running: DeployRequest | null = null;
  const stagedRequests: DeployRequest[] = [];
  const fake: Deployments = {
    current: () => running,
    stage: async (request) => {
      stagedRequests.push(request);
      const staged: StagedDeployment = {
        analysis: { "": { functions: {} } },
        instances: [
          { componentPath: "", definitionPath: "" },
          { componentPath: "counter", definitionPath: "lib/counter" },
          { componentPath: "counter/worker", definitionPath: "lib/worker" },
        ],
        indexDiffs: { "": { added: [{ name: "notes.by_rank", fields: ["rank"] }], removed: [] } },
        authProviders: [],
        validateSchema: async () =>
          options.violation === undefined
            ? null
            : { componentPath: "", tableName: "notes", message: options.violation },
        activate: async () => {
          if (options.activationFails === true) throw new Error("rows violate the schema");
          running = request;
        },
      };
      return staged;
    },
  };
  return { fake, stagedRequests };
}

const started = async (pushes: Pushes, body: object) =>
  (await pushes.start({ ...body }, { A: "1" })) as { schemaChange: object } & Record<
    string,
    unknown
  >;

describe("a push", () => {
  test("changes nothing before it is finished, and everything then", async () => {
    const { fake } = deployments();
    const pushes = new Pushes(fake);
    const start = await started(pushes, pushOf([module("a.js", "1")]));
    expect(await pushes.waitForSchema({ schemaChange: start.schemaChange })).toEqual({
      type: "complete",
    });
    expect(fake.current()).toBeNull();
    await pushes.finish({ startPush: start });
    expect(fake.current()?.definitions[0]?.modules).toEqual([module("a.js", "1")]);
  });

  test("tells the component instances as a tree and the index changes as the CLI reads them", async () => {
    const start = await started(new Pushes(deployments().fake), pushOf([]));
    expect(start["app"]).toMatchObject({
      componentPath: "",
      childComponents: {
        counter: {
          componentPath: "counter",
          childComponents: { worker: { definitionPath: "lib/worker" } },
        },
      },
    });
    expect(start.schemaChange).toMatchObject({
      indexDiffs: {
        "": { added_indexes: [{ name: "notes.by_rank", type: "database", fields: ["rank"] }] },
      },
    });
    expect(start["environmentVariables"]).toEqual({ A: "1" });
  });

  test("takes unchanged modules from the running deployment, the auth config apart", async () => {
    const { fake, stagedRequests } = deployments();
    const pushes = new Pushes(fake);
    const kept = module("kept.js", "same");
    const auth = module("auth.config.js", "auth");
    await pushes.finish({ startPush: await started(pushes, pushOf([kept, auth])) });
    const unchangedModuleHashes = [kept, auth].map((each) => ({
      path: each.path,
      sha256: hashOf(each),
    }));
    await started(pushes, pushOf([module("new.js", "2")], { unchangedModuleHashes }));
    expect(stagedRequests.at(-1)?.definitions[0]).toMatchObject({
      modules: [module("new.js", "2"), kept],
      auth,
    });
  });

  test("a module that is said to be unchanged and is not is refused, naming it", async () => {
    const pushes = new Pushes(deployments().fake);
    const body = pushOf([], { unchangedModuleHashes: [{ path: "a.js", sha256: "other" }] });
    await expect(started(pushes, body)).rejects.toThrow('Module "a.js" was sent as unchanged');
  });

  test("a dry run changes nothing", async () => {
    const { fake } = deployments();
    const pushes = new Pushes(fake);
    const diff = await pushes.finish({
      startPush: await started(pushes, pushOf([module("a.js", "1")])),
      dryRun: true,
    });
    expect(diff).toMatchObject({
      componentDiffs: { "": { moduleDiff: { added: ["a.js"], removed: [] } } },
    });
    expect(fake.current()).toBeNull();
  });

  test("rows that violate the schema refuse it with table and component", async () => {
    const pushes = new Pushes(deployments({ violation: "Document does not match" }).fake);
    const { schemaChange } = await started(pushes, pushOf([]));
    expect(await pushes.waitForSchema({ schemaChange })).toEqual({
      type: "failed",
      error: "Document does not match",
      componentPath: "",
      tableName: "notes",
    });
  });

  test("one that fails while it becomes active leaves the old code, and the next push goes through", async () => {
    const { fake } = deployments({ activationFails: true });
    const pushes = new Pushes(fake);
    await expect(pushes.finish({ startPush: await started(pushes, pushOf([])) })).rejects.toThrow(
      "violate",
    );
    expect(fake.current()).toBeNull();
    expect(await started(pushes, pushOf([]))).toHaveProperty("schemaChange");
  });

  test("of two that began together the second to finish has to start over", async () => {
    const pushes = new Pushes(deployments().fake);
    const [first, second] = [await started(pushes, pushOf([])), await started(pushes, pushOf([]))];
    const outcomes = await Promise.allSettled([
      pushes.finish({ startPush: first }),
      pushes.finish({ startPush: second }),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(["fulfilled", "rejected"]);
    expect(await pushes.waitForSchema({ schemaChange: second.schemaChange })).toEqual({
      type: "raceDetected",
    });
  });

  test("of pushes that nobody finishes only the newest are kept", async () => {
    const pushes = new Pushes(deployments().fake);
    const first = await started(pushes, pushOf([]));
    let last = first;
    for (let count = 0; count < 8; count++) last = await started(pushes, pushOf([]));
    expect(await pushes.waitForSchema({ schemaChange: first.schemaChange })).toEqual({
      type: "raceDetected",
    });
    expect(await pushes.waitForSchema({ schemaChange: last.schemaChange })).toEqual({
      type: "complete",
    });
  });

  const refused: readonly [string, object, RegExp][] = [
    [
      "a Node action",
      pushOf([{ ...module("n.js", ""), environment: "node" }]),
      /"n\.js" says "use node"/,
    ],
    [
      "external packages",
      { ...pushOf([]), nodeDependencies: [{ name: "x", version: "1" }] },
      /External packages/,
    ],
    ["no app", {}, /"appDefinition" must be an object/],
    [
      "modules that are no list",
      pushOf([], { changedModules: 1 }),
      /"changedModules" must be a list/,
    ],
    ["a module without source", pushOf([{ path: "a.js" }]), /a module with its source/],
  ];
  test.each(refused)("%s is refused with one sentence", async (_what, body, sentence) => {
    const { fake, stagedRequests } = deployments();
    await expect(started(new Pushes(fake), body)).rejects.toThrow(sentence);
    expect(stagedRequests).toEqual([]);
  });
});
