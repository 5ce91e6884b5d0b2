import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { cleanUp, copyApp, push, temporaryFolder } from "../engine/server/real-engine.helpers.ts";
import { silentLog } from "../engine/logs/engine-log.ts";
import { startEngine, type RunningEngine } from "../engine/server/start.ts";

const MS = 120_000;
const BACKUP = join(import.meta.dirname, "backup.ts");

afterEach(cleanUp);

async function backup(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [BACKUP, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  return { code, output };
}

const start = (dataFolder: string) => startEngine({ dataFolder, port: 0, sitePort: 0 }, silentLog);

async function call(engine: RunningEngine, path: string, args: object): Promise<unknown> {
  const body = JSON.stringify({ path, args });
  const headers = { authorization: `Convex ${engine.adminKey}` };
  const response = await fetch(`${engine.url}/api/function`, { method: "POST", headers, body });
  return ((await response.json()) as { value?: unknown }).value;
}

const FILES = `
  import { mutation, query } from "./_generated/server";
  export const uploadUrl = mutation({ args: {}, handler: (ctx) => ctx.storage.generateUploadUrl() });
  export const urls = query({ args: {}, handler: async (ctx) => {
    const files = await ctx.db.system.query("_storage").collect();
    return Promise.all(files.map(({ _id }) => ctx.storage.getUrl(_id)));
  } });
`;
const FILE = "a file ".repeat(100_000);

test(
  "a backup made under load restores to one state in which every write is whole, with its code and files",
  async () => {
    const dataFolder = temporaryFolder();
    const engine = await start(dataFolder);
    const app = copyApp();
    writeFileSync(join(app, "convex/files.ts"), FILES);
    await push(app, engine);
    await call(engine, "counters:add", { name: "before", by: 3 });
    const uploadUrl = String(await call(engine, "files:uploadUrl", {}));
    await fetch(uploadUrl, { method: "POST", body: FILE });
    let isRunning = true;
    const load = (async () => {
      while (isRunning) await call(engine, "counters:add", { name: "load", by: 1 });
    })();
    const to = join(temporaryFolder(), "copy.sqlite");
    const made = await backup("--data", dataFolder, "--to", to);
    isRunning = false;
    await load;
    const written = Number(await call(engine, "counters:get", { name: "load" }));
    await engine.close();
    expect(made.output).toMatch(
      /^Copied and checked: .*copy\.sqlite \(\d+\.\d MB, \d+ entries\)\n$/,
    );
    expect(made.code).toBe(0);
    expect(statSync(to).mode & 0o777).toBe(0o600);

    const restoredFolder = join(temporaryFolder(), "restored");
    mkdirSync(restoredFolder);
    copyFileSync(to, join(restoredFolder, "footfall.sqlite"));
    const restored = await start(restoredFolder);
    expect(await call(restored, "counters:get", { name: "before" })).toBe(3);
    const kept = Number(await call(restored, "counters:get", { name: "load" }));
    expect(kept).toBeLessThanOrEqual(written);
    expect(await call(restored, "counters:add", { name: "load", by: 1 })).toBe(kept + 1);
    const [url] = (await call(restored, "files:urls", {})) as string[];
    expect(url).toContain(restored.url);
    expect(await (await fetch(url ?? "")).text()).toBe(FILE);
    expect(restored.adminKey).not.toBe(engine.adminKey);
    await restored.close();
  },
  MS,
);

test(
  "nothing is overwritten, a folder without data is named, and --help says how to restore",
  async () => {
    const dataFolder = temporaryFolder();
    const to = join(dataFolder, "copy.sqlite");
    const none = await backup("--data", dataFolder, "--to", to);
    expect(none).toMatchObject({ code: 1 });
    expect(none.output).toContain("There is no database in");
    await (await start(dataFolder)).close();
    writeFileSync(to, "mine");
    const refused = await backup("--data", dataFolder, "--to", to);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain("exists, and a backup overwrites nothing");
    expect(statSync(to).size).toBe(4);
    const nowhere = await backup("--data", dataFolder, "--to", join(dataFolder, "no/such/copy"));
    expect(nowhere.code).toBe(1);
    expect(nowhere.output).toContain("was not made");
    expect(existsSync(`${to}.partial`)).toBe(false);
    const help = await backup("--help");
    expect(help.code).toBe(0);
    expect(help.output).toContain("To restore, put the file as footfall.sqlite");
    expect((await backup("--too", "x")).code).toBe(1);
  },
  MS,
);
