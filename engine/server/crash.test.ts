import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  cleanUp,
  copyApp,
  onCleanUp,
  push,
  startEngineProcess,
  temporaryFolder,
  type EngineProcess,
} from "./real-engine.helpers.ts";
import { DATABASE_FILE } from "../storage/sqlite-file.ts";
import { adminKeyOf } from "./admin-key-file.ts";
import { parseOptions } from "./engine-options.ts";
import { StartError } from "./start-error.ts";

afterEach(cleanUp);

const RUN_MS = 240_000;
/** Each of these starts processes of its own. */
vi.setConfig({ testTimeout: RUN_MS });
const write = makeFunctionReference<"mutation", { text: string; rank: number }, string>(
  "notes:write",
);
const ranks = makeFunctionReference<"query", Record<string, never>, number[]>("notes:ranks");

const STRAY = `
  import { actionGeneric, mutationGeneric } from "convex/server";
  export const promise = mutationGeneric({ args: {}, handler: async () => {
    void Promise.reject(new Error("not awaited"));
    return null;
  } });
  export const timer = actionGeneric({ args: {}, handler: async () => {
    await new Promise((goOn) => setTimeout(() => { goOn(); throw new Error("too late"); }, 0));
    return null;
  } });
`;

async function startWithApp(): Promise<{
  folder: string;
  engine: EngineProcess;
  again: () => Promise<EngineProcess>;
}> {
  const folder = join(temporaryFolder(), "data");
  const engine = await startEngineProcess(["--data", folder, "--port", "0"]);
  await push(copyApp(), { url: engine.url, adminKey: adminKeyOf(folder) });
  const { port } = new URL(engine.url);
  const again = () => startEngineProcess(["--data", folder, "--port", port, "--site-port", "0"]);
  return { folder, engine, again };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const storedRanks = (url: string) => new ConvexHttpClient(url, { logger: false }).query(ranks, {});

describe("an engine that is killed under load", () => {
  test(
    "holds every acknowledged mutation once, and a client that comes back finishes what it had sent, once each",
    async () => {
      const { engine, again } = await startWithApp();
      const client = new ConvexClient(engine.url, { logger: false });
      onCleanUp(() => client.close());
      const total = 2_000;
      let answered = 0;
      const enough = [300, 900].map((count) => ({ count, ...Promise.withResolvers<void>() }));
      const sent = upTo(total).map(async (rank) => {
        await client.mutation(write, { text: "load", rank });
        answered += 1;
        for (const mark of enough) if (answered === mark.count) mark.resolve();
      });
      let running = engine;
      for (const mark of enough) {
        await mark.promise;
        const acknowledged = answered;
        await running.end("SIGKILL");
        running = await again();
        expect((await storedRanks(running.url)).length).toBeGreaterThanOrEqual(acknowledged);
      }
      await Promise.all(sent);
      expect((await storedRanks(running.url)).sort((a, b) => a - b)).toEqual(upTo(total));
    },
    RUN_MS,
  );

  test(
    "holds what it acknowledged to a client that never comes back",
    async () => {
      const { engine, again } = await startWithApp();
      const client = new ConvexHttpClient(engine.url, { logger: false });
      const acknowledged: number[] = [];
      const enough = Promise.withResolvers<void>();
      const sent = upTo(400).map(async (rank) => {
        await client.mutation(write, { text: "load", rank }, { skipQueue: true });
        acknowledged.push(rank);
        if (acknowledged.length === 100) enough.resolve();
      });
      await enough.promise;
      const ended = engine.end("SIGKILL");
      await Promise.allSettled(sent);
      await ended;
      const stored = await storedRanks((await again()).url);
      expect(new Set(stored).size).toBe(stored.length);
      expect(acknowledged.filter((rank) => !stored.includes(rank))).toEqual([]);
    },
    RUN_MS,
  );
});

describe("an engine whose functions leave work behind", () => {
  test("goes on for everybody when a promise that nobody awaits or a timer of an action fails", async () => {
    const folder = join(temporaryFolder(), "data");
    const engine = await startEngineProcess(["--data", folder, "--port", "0"]);
    const app = copyApp();
    writeFileSync(join(app, "convex", "stray.ts"), STRAY);
    await push(app, { url: engine.url, adminKey: adminKeyOf(folder) });
    const client = new ConvexHttpClient(engine.url, { logger: false });
    const stray = (name: string) => makeFunctionReference<"mutation">(`stray:${name}`);
    await client.mutation(stray("promise"), {});
    await client.action(makeFunctionReference<"action">("stray:timer"), {});
    expect(await client.mutation(write, { text: "after", rank: 1 })).toEqual(expect.any(String));
    expect(await storedRanks(engine.url)).toEqual([1]);
    await expect.poll(engine.output).toMatch(/stray:promise left work behind.*not awaited/);
    await expect.poll(engine.output).toMatch(/stray:timer left work behind.*too late/);
  });
});

describe("an engine that is asked to stop", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "finishes what had arrived on %s, leaves with 0, and starts again with everything",
    async (signal) => {
      const { engine, again } = await startWithApp();
      const client = new ConvexClient(engine.url, { logger: false });
      onCleanUp(() => client.close());
      const first = await client.mutation(write, { text: "first", rank: 0 });
      expect(first).toEqual(expect.any(String));
      const sent = upTo(200).map((rank) =>
        client.mutation(write, { text: "load", rank: rank + 1 }),
      );
      expect(await engine.end(signal)).toEqual({ code: 0, signal: null });
      expect(engine.output()).not.toMatch(/Error|problem/i);
      const restarted = await again();
      await Promise.all(sent);
      expect((await storedRanks(restarted.url)).sort((a, b) => a - b)).toEqual(upTo(201));
    },
    RUN_MS,
  );
});

describe("an engine that cannot start", () => {
  const refusal = async (...args: string[]) => {
    const engine = await startEngineProcess(args);
    const { code } = await engine.ended;
    return { code, lines: engine.output().trim().split("\n") };
  };

  test("says which process holds its data folder", async () => {
    const folder = temporaryFolder();
    const holder = await startEngineProcess(["--data", folder, "--port", "0"]);
    const { code, lines } = await refusal("--data", folder, "--port", "0");
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`in use by process ${holder.pid}`);
  });

  test("says that its port is in use, and does not keep the folder", async () => {
    const folder = temporaryFolder();
    const other = createServer();
    onCleanUp(() => void other.close());
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = String(typeof address === "object" && address !== null ? address.port : 0);
    const { code, lines } = await refusal("--data", folder, "--port", port);
    expect(code).toBe(1);
    expect(lines).toEqual([
      `Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another with --port.`,
    ]);
    expect((await startEngineProcess(["--data", folder, "--port", "0"])).url).not.toBe("");
  });

  test("says that its data folder cannot be written", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const { code, lines } = await refusal("--data", join(file, "data"), "--port", "0");
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^The data folder .* cannot be written/);
  });

  test("says which options there are when one is unknown", async () => {
    const { code, lines } = await refusal("--colour");
    expect(code).toBe(1);
    expect(lines.join("\n")).toMatch(/Usage: node engine\/server\/start\.ts/);
    expect(lines.join("\n")).not.toMatch(/ {4}at /);
  });

  const badOptions: readonly (readonly string[])[] = [
    ["--port", "many"],
    ["--port", "70000"],
    ["--site-port", "1.5"],
    ["--trusted-proxies", "11"],
    ["--slow-ms", "soon"],
    ["--app-origin", "example"],
    ["--app-origin", "file:///etc"],
    ["extra"],
  ];
  test.each(badOptions)("says what is wrong with %s %s", (...args) => {
    expect(() => parseOptions(args)).toThrow(StartError);
    expect(() => parseOptions(args)).toThrow(/wanted|Usage/);
  });

  test("says that its database is damaged, and how to go on with a backup", async () => {
    const folder = temporaryFolder();
    const first = await startEngineProcess(["--data", folder, "--port", "0"]);
    await first.end("SIGTERM");
    const path = join(folder, DATABASE_FILE);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length - 100));
    const { code, lines } = await refusal("--data", folder, "--port", "0");
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(
        /^The database .* is damaged .* Start with a backup in an empty folder/,
      ),
    ]);
    expect(readFileSync(path)).toEqual(whole.subarray(0, whole.length - 100));
  });

  test("says what to do about a spoilt admin key", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "admin.key"), "spoilt\n");
    const { code, lines } = await refusal("--data", folder, "--port", "0");
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining("does not hold an admin key. Remove the file")]);
  });
});

describe("the admin key", () => {
  test("is made once and readable by its owner only, also when somebody opened it up", () => {
    const folder = join(temporaryFolder(), "data");
    mkdirSync(folder);
    const key = adminKeyOf(folder);
    chmodSync(join(folder, "admin.key"), 0o644);
    expect(adminKeyOf(folder)).toBe(key);
    expect(statSync(join(folder, "admin.key")).mode & 0o777).toBe(0o600);
  });
});
