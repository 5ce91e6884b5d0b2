import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openZip } from "../export/zip-file.ts";
import { FILE_PIECE_BYTES } from "../limits.ts";
import { silentLog } from "../logs/engine-log.ts";
import { cleanUp, copyApp, push, runCli, temporaryFolder } from "./real-engine.helpers.ts";
import { startEngine, type RunningEngine } from "./start.ts";

/** Each call of the CLI is a process of its own, and the app is pushed to three engines. */
const CLI_MS = 120_000;

const COMPONENTS = `import aggregate from "@convex-dev/aggregate/convex.config";
import { defineApp } from "convex/server";
const app = defineApp();
app.use(aggregate);
app.use(aggregate, { name: "second" });
export default app;
`;
const TALLY = `import { TableAggregate } from "@convex-dev/aggregate";
import { v } from "convex/values";
import { components } from "./_generated/api";
import { mutation, query } from "./_generated/server";
const byRank = new TableAggregate<any>(components.second, { sortKey: (note: any) => note.rank });
export const write = mutation({
  args: { rank: v.number() },
  handler: async (ctx, { rank }) => {
    const bytes = new Uint8Array([1, 2, 255]).buffer;
    const id = await ctx.db.insert("notes", { text: 'a "1" \\\\ é', rank, big: 2n ** 62n + 1n, bytes });
    const note = await ctx.db.get(id);
    await byRank.insert(ctx, note);
    return id;
  },
});
export const all = query({
  args: {},
  handler: async (ctx) => ({
    notes: await ctx.db.query("notes").withIndex("by_rank").collect(),
    count: await byRank.count(ctx),
  }),
});
export const uploadUrl = mutation({ args: {}, handler: (ctx) => ctx.storage.generateUploadUrl() });
export const files = query({
  args: {},
  handler: async (ctx) => {
    const found = [];
    for (const row of await ctx.db.system.query("_storage").collect())
      found.push({ row, url: await ctx.storage.getUrl(row._id) });
    return found;
  },
});
`;
/** More than one piece. */
const FILE = Buffer.alloc(FILE_PIECE_BYTES + 7, "some bytes ");

type FoundFile = { readonly row: Record<string, unknown>; readonly url: string };

let source: RunningEngine;
let app: string;
let zipPath: string;
const open = () => startEngine({ dataFolder: temporaryFolder(), port: 0, sitePort: 0 }, silentLog);

async function call(engine: RunningEngine, path: string, args: object = {}): Promise<unknown> {
  const response = await fetch(`${engine.url}/api/function`, {
    method: "POST",
    headers: { authorization: `Convex ${engine.adminKey}` },
    body: JSON.stringify({ path, args, format: "convex_encoded_json" }),
  });
  const answer = (await response.json()) as { value?: unknown; errorMessage?: string };
  if (answer.errorMessage !== undefined) throw new Error(answer.errorMessage);
  return answer.value;
}

async function upload(engine: RunningEngine): Promise<void> {
  const url = (await call(engine, "tally:uploadUrl")) as string;
  const headers = { "content-type": "text/plain" };
  await fetch(url, { method: "POST", headers, body: new Uint8Array(FILE) });
}

async function fileOf(engine: RunningEngine) {
  const [file] = (await call(engine, "tally:files")) as FoundFile[];
  if (file === undefined) throw new Error("There is no file.");
  const response = await fetch(file.url);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { row: file.row, path: new URL(file.url).pathname, isWhole: bytes.equals(FILE) };
}

beforeAll(async () => {
  source = await open();
  app = copyApp();
  writeFileSync(join(app, "convex/convex.config.ts"), COMPONENTS);
  writeFileSync(join(app, "convex/tally.ts"), TALLY);
  await push(app, source);
  for (const rank of [3, 1, 2]) await call(source, "tally:write", { rank });
  await call(source, "counters:add", { name: "moved", by: 7 });
  await upload(source);
  zipPath = join(app, "snapshot.zip");
  const exported = await runCli(
    app,
    source,
    ...["export", "--include-file-storage", "--path", zipPath],
  );
  expect(exported).toMatchObject({ code: 0 });
}, CLI_MS);
afterAll(async () => {
  await source.close();
  await cleanUp();
});

async function textOf(path: string, from = zipPath): Promise<string> {
  const zip = await openZip(from);
  const entry = zip.entries.find((each) => each.path === path);
  let text = "";
  for await (const chunk of (await entry?.open()) ?? []) text += String(chunk);
  zip.close();
  return text;
}

test("an export has the layout of a Convex snapshot", async () => {
  expect(await textOf("_tables/documents.jsonl")).toMatch(
    /^\{"name":"\w+","id":10\d{3}\}\n\{"name":"\w+","id":10\d{3}\}\n$/,
  );
  expect(await textOf("notes/generated_schema.jsonl")).toBe('"uniform"\n');
  const notes = await textOf("notes/documents.jsonl");
  expect(notes).toContain('"big":4611686018427387905,');
  expect(notes).toContain('"rank":3.0');
  expect(notes).toContain('"bytes":{"$bytes":"AQL/"}');
  expect(await textOf("_components/second/btreeNode/documents.jsonl")).not.toBe("");
  expect(await textOf("_components/second/_tables/documents.jsonl")).toContain('"btreeNode"');
});

test("files are in it where they were asked for: a line for each, and its bytes under its id", async () => {
  const { row, path } = await fileOf(source);
  expect(JSON.parse(await textOf("_storage/documents.jsonl"))).toEqual({
    ...row,
    internalId: path.split("/").at(-1),
  });
  expect(await textOf(`_storage/${String(row["_id"])}.txt`)).toBe(FILE.toString());
  expect(await textOf("_components/second/_storage/documents.jsonl")).toBe("");

  const headers = { authorization: `Convex ${source.adminKey}` };
  await fetch(`${source.url}/api/export/request/zip`, { method: "POST", headers });
  const { zip_object_key: key } = (await call(source, "_system/cli/exports:getLatest")) as {
    zip_object_key: string;
  };
  const plain = await fetch(`${source.url}/api/export/zip/${key}`, { headers });
  const plainPath = join(app, "plain.zip");
  writeFileSync(plainPath, new Uint8Array(await plain.arrayBuffer()));
  const zip = await openZip(plainPath);
  const names = zip.entries.map((entry) => entry.path);
  zip.close();
  expect(names).toContain("notes/documents.jsonl");
  expect(names.join()).not.toContain("_storage");
});

test(
  "a fresh engine takes the export over with ids, times, int64s, bytes, files and components, and goes on from there",
  async () => {
    const target = await open();
    try {
      await push(app, target);
      await upload(target);
      const replaced = await fileOf(target);
      const before = await call(source, "tally:all");
      const imported = await runCli(app, target, "import", zipPath, "--replace", "--yes");
      expect(imported.output).toContain("Added");
      expect(imported.code).toBe(0);
      expect(await call(target, "tally:all")).toEqual(before);
      expect(await fileOf(target)).toEqual(await fileOf(source));
      expect((await fileOf(target)).isWhole).toBe(true);
      expect((await fetch(target.url + replaced.path)).status).toBe(404);
      expect(await call(target, "counters:get", { name: "moved" })).toBe(7);
      await call(target, "tally:write", { rank: 9 });
      expect(await call(target, "tally:all")).toMatchObject({ count: 4 });
      expect(await call(target, "counters:add", { name: "moved", by: 1 })).toBe(8);

      const refused = await runCli(app, target, "import", zipPath, "--yes");
      expect(refused.code).toBe(1);
      expect(refused.output).toContain("already exists");
      expect(await call(target, "tally:all")).toMatchObject({ count: 4 });
    } finally {
      await target.close();
    }
  },
  CLI_MS,
);

test(
  "JSON lines go into one table: appended, replaced, and refused as a whole when a row does not fit",
  async () => {
    const rows = (...lines: object[]) => {
      const path = join(app, "rows.jsonl");
      writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return path;
    };
    const counters = async () =>
      (await runCli(app, source, "data", "counters", "--format", "jsonl")).stdout;
    const into = (path: string, mode: string) =>
      runCli(app, source, "import", "--table", "counters", path, mode, "--yes");
    expect(await into(rows({ name: "appended", value: 1 }), "--append")).toMatchObject({ code: 0 });
    expect(await call(source, "counters:get", { name: "appended" })).toBe(1);
    expect(await call(source, "counters:get", { name: "moved" })).toBe(7);

    const misfit = await into(
      rows({ name: "x", value: 1 }, { name: "y", value: "one" }),
      "--replace",
    );
    expect(misfit.code).toBe(1);
    expect(misfit.output).toContain("does not match the schema");
    expect(await counters()).toContain("appended");

    expect(await into(rows({ name: "only", value: 5 }), "--replace")).toMatchObject({ code: 0 });
    expect(await call(source, "counters:get", { name: "only" })).toBe(5);
    expect(await counters()).not.toContain("moved");
  },
  CLI_MS,
);

test(
  "CSV goes into one table, with numbers where a whole cell is one; a row that does not fit is named",
  async () => {
    const path = join(app, "counters.csv");
    const importCsv = (text: string) => {
      writeFileSync(path, text);
      return runCli(app, source, "import", "--table", "counters", path, "--append", "--yes");
    };
    expect(await importCsv('name,value\n"from, csv",12.5\nplain,3\n')).toMatchObject({ code: 0 });
    expect(await call(source, "counters:get", { name: "from, csv" })).toBe(12.5);
    const short = await importCsv("name,value\nlonely\n");
    expect(short.code).toBe(1);
    expect(short.output).toContain("Row 2 has 1 cells, and the header has 2 names.");
  },
  CLI_MS,
);

test(
  "data shows the tables and rows of a component, and the files",
  async () => {
    const tables = await runCli(app, source, "data", "--component", "second");
    expect(tables.stdout).toContain("btree\nbtreeNode\n");
    expect(tables.stdout).not.toContain("notes");
    const rows = ["data", "btreeNode", "--component", "second", "--format", "jsonl"];
    expect((await runCli(app, source, ...rows)).stdout).toContain('"items"');
    const files = await runCli(app, source, "data", "_storage", "--format", "jsonl");
    expect(files.stdout).toContain(`"size": ${FILE.length}`);
    const missing = await runCli(app, source, "data", "--component", "third");
    expect(missing.code).toBe(1);
    expect(missing.output).toContain("third");
  },
  CLI_MS,
);

test(
  "what is no snapshot is refused with one sentence",
  async () => {
    const path = join(app, "broken.zip");
    writeFileSync(path, readFileSync(zipPath).subarray(0, 500));
    const refused = await runCli(app, source, "import", path, "--replace", "--yes");
    expect(refused.code).toBe(1);
    expect(refused.output).toContain("The file is no ZIP that can be read");
  },
  CLI_MS,
);
