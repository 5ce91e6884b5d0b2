import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { silentLog } from "../logs/engine-log.ts";
import {
  cleanUp,
  copyApp,
  push,
  runCli,
  startCli,
  temporaryFolder,
  type CliOutcome,
} from "./real-engine.helpers.ts";
import { startEngine, type RunningEngine } from "./start.ts";

/** Each call of the CLI is a process of its own that loads esbuild and TypeScript. */
const CLI_MS = 240_000;

let engine: RunningEngine;
let app: string;
/** What the engine printed. */
const terminal: string[] = [];
const cli = (...args: string[]): Promise<CliOutcome> => runCli(app, engine, ...args);
const edit = (file: string, from: string, to: string) => {
  const path = join(app, "convex", file);
  const before = readFileSync(path, "utf8");
  expect(before).toContain(from);
  writeFileSync(path, before.replace(from, to));
  return () => writeFileSync(path, before);
};
/** What `npx convex run` sends, without starting the CLI for it. */
async function call(path: string, args: object = {}): Promise<unknown> {
  const response = await fetch(`${engine.url}/api/function`, {
    method: "POST",
    headers: { authorization: `Convex ${engine.adminKey}` },
    body: JSON.stringify({ path, args }),
  });
  return ((await response.json()) as { value?: unknown }).value;
}

beforeAll(async () => {
  const options = { dataFolder: temporaryFolder(), port: 0, sitePort: 0, logCalls: true };
  engine = await startEngine(options, { ...silentLog, note: (line) => void terminal.push(line) });
  app = copyApp();
  await push(app, engine);
}, CLI_MS);
afterAll(async () => {
  await engine.close();
  await cleanUp();
});

describe("npx convex run", () => {
  test(
    "runs public and internal functions, prints the value, and the log lines apart from it",
    async () => {
      const added = await cli("run", "counters:add", '{"name":"run","by":4}');
      expect(added).toMatchObject({ code: 0, stdout: "4\n" });
      expect(added.output).toContain("'adding' 4 { to: 'run' }");
      expect((await cli("run", "counters:secret")).stdout).toBe('"for admins"\n');
    },
    CLI_MS,
  );

  test(
    "lists the functions that there are when the name is unknown",
    async () => {
      const unknown = await cli("run", "counters:nothing");
      expect(unknown.code).toBe(1);
      expect(unknown.output).toContain("Could not find function for 'counters:nothing'");
      expect(unknown.output).toMatch(/• counters:get/);
    },
    CLI_MS,
  );

  test(
    "shows a failure with its message and ends with 1",
    async () => {
      const failed = await cli("run", "counters:crash");
      expect(failed.code).toBe(1);
      expect(failed.output).toContain("a detail for developers");
    },
    CLI_MS,
  );

  test(
    "with a wrong key says so and nothing else",
    async () => {
      const refused = await runCli(
        app,
        { ...engine, adminKey: "footfall|wrong" },
        "run",
        "counters:secret",
      );
      expect(refused.code).toBe(1);
      expect(refused.output).toContain("BadAdminKey");
      expect(refused.output).not.toContain("for admins");
    },
    CLI_MS,
  );
});

describe("npx convex run --push", () => {
  test(
    "pushes the code that lies here before it runs it",
    async () => {
      const restore = edit("counters.ts", '"for admins"', '"pushed and run"');
      const ran = await cli("run", "--push", "--typecheck", "disable", "counters:secret");
      restore();
      expect(ran).toMatchObject({ code: 0, stdout: '"pushed and run"\n' });
      await push(app, engine);
      expect(await call("counters:secret")).toBe("for admins");
    },
    CLI_MS,
  );
});

describe("npx convex run --inline-query", () => {
  test(
    "evaluates an expression with the database, and prints what it logs apart from its value",
    async () => {
      await call("counters:add", { name: "inline", by: 6 });
      const query =
        'console.log("looking");\nreturn (await ctx.db.query("counters").withIndex("by_name", q => q.eq("name", "inline")).first()).value';
      const found = await cli("run", "--inline-query", query);
      expect(found).toMatchObject({ code: 0, stdout: "6\n" });
      expect(found.output).toContain("looking");
    },
    CLI_MS,
  );

  test(
    "cannot write, and says what is wrong with it",
    async () => {
      const refused = await cli("run", "--inline-query", 'await ctx.db.insert("counters", {})');
      expect(refused.code).toBe(1);
      expect(refused.output).toContain("is not a function");
      const broken = await cli("run", "--inline-query", "1 +");
      expect(broken.code).toBe(1);
      expect(broken.output).toContain("cannot be bundled");
    },
    CLI_MS,
  );
});

describe("npx convex env, data, function-spec, logs", () => {
  test(
    "a variable is set, read by a function, listed and removed",
    async () => {
      expect((await cli("env", "set", "GREETING", "hello")).code).toBe(0);
      expect(await call("counters:greeting")).toBe("hello");
      expect((await cli("env", "list", "--include-values")).stdout).toContain("GREETING=hello");
      expect((await cli("env", "remove", "GREETING")).code).toBe(0);
      expect(await call("counters:greeting")).toBeNull();
    },
    CLI_MS,
  );

  test(
    "data lists tables and rows",
    async () => {
      await call("notes:write", { text: "a row", rank: 7 });
      expect((await cli("data")).stdout).toBe("counters\nnotes\n");
      const rows = await cli("data", "notes", "--format", "jsonl");
      expect(rows.stdout).toContain('"text": "a row"');
    },
    CLI_MS,
  );

  test(
    "function-spec names functions with their validators, and where the deployment is",
    async () => {
      const spec = JSON.parse((await cli("function-spec")).stdout) as {
        url: string;
        functions: object[];
      };
      expect(spec.url).toBe(engine.url);
      expect(spec.functions).toContainEqual(
        expect.objectContaining({
          identifier: "counters.js:get",
          functionType: "Query",
          visibility: { kind: "public" },
          returns: { type: "number" },
        }),
      );
    },
    CLI_MS,
  );

  test(
    "logs show with --history what was called before, then follow calls as they happen: what they logged, and errors with the stack of the source, as on the terminal",
    async () => {
      await call("counters:add", { name: "logs", by: 11 });
      const logs = startCli(app, engine, ["logs", "--success", "--history", "1000"]);
      const sees = (text: string) =>
        new Promise<void>((resolve) => {
          const look = () => {
            if (logs.output().includes(text)) resolve();
          };
          logs.child.stdout.on("data", look);
          look();
        });
      await sees("[CONVEX M(counters:add)] [LOG] 'adding' 11");
      await call("counters:add", { name: "logs", by: 22 });
      await sees("[CONVEX M(counters:add)] [LOG] 'adding' 22");
      await sees("Function executed in");
      terminal.length = 0;
      await call("counters:crash");
      const source = readFileSync(join(app, "convex/counters.ts"), "utf8").split("\n");
      const line = 1 + source.findIndex((text) => text.includes("a detail for developers"));
      const error = "Uncaught Error: a detail for developers";
      const frame = `at handler (../convex/counters.ts:${line}:`;
      await sees(frame);
      expect(logs.output()).toContain(error);
      expect(terminal).toEqual([
        expect.stringMatching(/^\d\d:\d\d:\d\d Q counters:crash \d+ ms failed \(request \w+\)$/),
        `  ${error}`,
        expect.stringContaining(frame),
      ]);
      logs.child.kill("SIGINT");
      await logs.ended;
    },
    CLI_MS,
  );
});

describe("npx convex dev", () => {
  test(
    "watches the folder and pushes what is saved",
    async () => {
      const dev = startCli(app, engine, [
        "dev",
        "--typecheck",
        "disable",
        "--tail-logs",
        "disable",
      ]);
      await expect.poll(dev.output, { timeout: 60_000 }).toContain("functions ready");
      const path = join(app, "convex/counters.ts");
      const before = readFileSync(path, "utf8");
      // Again until it is noticed: the CLI begins to watch a moment after it says that it is ready.
      const save = async () => {
        writeFileSync(path, before.replace('"for admins"', '"saved"'));
        return call("counters:secret");
      };
      await expect.poll(save, { timeout: 60_000, interval: 1_000 }).toBe("saved");
      dev.child.kill("SIGINT");
      await dev.ended;
      writeFileSync(path, before);
      await push(app, engine);
    },
    CLI_MS,
  );
});

describe("npx convex deploy and codegen", () => {
  test(
    "deploy takes a change over, and a second deploy without one sends no module again",
    async () => {
      const restore = edit("counters.ts", '"for admins"', '"for the new admins"');
      const deployed = await cli(
        "deploy",
        "--yes",
        "--typecheck",
        "disable",
        "--codegen",
        "disable",
      );
      expect(deployed).toMatchObject({ code: 0 });
      expect(await call("counters:secret")).toBe("for the new admins");
      restore();
      await push(app, engine);
    },
    CLI_MS,
  );

  test(
    "a dry run changes nothing",
    async () => {
      const restore = edit("counters.ts", '"for admins"', '"never"');
      const dry = await cli(
        "deploy",
        "--yes",
        "--dry-run",
        "--typecheck",
        "disable",
        "--codegen",
        "disable",
      );
      restore();
      expect(dry.code).toBe(0);
      expect(await call("counters:secret")).toBe("for admins");
    },
    CLI_MS,
  );

  test(
    "codegen writes the types of the app, and they type-check",
    async () => {
      const generated = await cli("codegen", "--typecheck", "enable");
      expect(generated).toMatchObject({ code: 0 });
      expect(readFileSync(join(app, "convex/_generated/api.d.ts"), "utf8")).toContain("counters");
    },
    CLI_MS,
  );

  test(
    "a schema that old rows violate is refused with one sentence, and the old code and rows stay",
    async () => {
      await call("counters:add", { name: "kept", by: 1 });
      const restore = edit("schema.ts", "value: v.number()", "value: v.string()");
      const refused = await cli("dev", "--once", "--typecheck", "disable");
      restore();
      expect(refused.code).toBe(1);
      expect(refused.output).toMatch(/Schema validation failed/);
      expect(refused.output).toMatch(/in table "counters" does not match the schema/);
      expect(await call("counters:get", { name: "kept" })).toBe(1);
      expect(await call("counters:add", { name: "kept", by: 1 })).toBe(2);
    },
    CLI_MS,
  );

  const broken: readonly [string, string, string, string, RegExp][] = [
    [
      "a module that throws while it loads",
      "notes.ts",
      "export const write",
      'throw new Error("no load");\nexport const write',
      /no load/,
    ],
    [
      "a Node action",
      "notes.ts",
      "import { pag",
      '"use node";\nimport { pag',
      /"use node"|Node actions/,
    ],
  ];
  test.each(broken)(
    "%s is refused with its reason, and the old code runs on",
    async (_what, file, from, to, reason) => {
      const restore = edit(file, from, to);
      const refused = await cli("dev", "--once", "--typecheck", "disable");
      restore();
      expect(refused.code).toBe(1);
      expect(refused.output).toMatch(reason);
      expect(await call("counters:secret")).toBe("for admins");
    },
    CLI_MS,
  );

  test(
    "dashboard says that there is none here, and ends well",
    async () => {
      const told = await cli("dashboard", "--no-open");
      expect(told.code).toBe(0);
      expect(told.output).toContain("not supported for self-hosted deployments");
    },
    CLI_MS,
  );
});
