import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConvexHttpClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import { afterEach, expect, test } from "vitest";
import { runs } from "../../tests/long.helpers.ts";
import { storedTables } from "../catalog/stored-tables.helpers.ts";
import { FILE_PIECE_BYTES } from "../limits.ts";
import { DATABASE_FILE } from "../storage/sqlite-file.ts";
import { adminKeyOf } from "./admin-key-file.ts";
import {
  cleanUp,
  copyApp,
  startEngineProcess,
  temporaryFolder,
  type EngineProcess,
} from "./real-engine.helpers.ts";
import { recordPush, replayPush, type RecordedPush } from "./recorded-push.helpers.ts";
import { SendingClient, type Sent } from "./sending-client.helpers.ts";

afterEach(cleanUp);

/** Each begins with a start of the engine and ends with kill -9. */
const LIVES = runs(24, 400);
/** A busy machine may take seconds for a start. */
const TEST_MS = runs(360_000, 4 * 3_600_000);
const MAX_ANSWERS_IN_A_LIFE = 80;
const IN_FLIGHT = 20;
const IMPORTED_ROWS = 300;
const MAX_JOB_DELAY_MS = 40;
/** Some have one piece, some two. */
const MAX_UPLOADED_BYTES = 1.5 * FILE_PIECE_BYTES;
const MAX_UPLOADS_IN_A_LIFE = 8;

const below = (limit: number) => Math.floor(Math.random() * limit);
const jobCount = makeFunctionReference<"query", Record<string, never>, number>("kills:jobCount");
const uploadUrl = makeFunctionReference<"mutation", Record<string, never>, string>(
  "kills:uploadUrl",
);
const removeFile = makeFunctionReference<"mutation", { id: string }>("kills:removeFile");
const secret = makeFunctionReference<"query", Record<string, never>, string>("counters:secret");

/** Counts for the test; the rest is the app as it is. */
const KILLS = `
  import { v } from "convex/values";
  import { mutation, query } from "./_generated/server";
  export const jobCount = query({ args: {}, returns: v.number(), handler: async (ctx) =>
    (await ctx.db.query("counters").collect()).filter(({ name }) => name.startsWith("job ")).length });
  export const uploadUrl = mutation({ args: {}, returns: v.string(), handler: (ctx) => ctx.storage.generateUploadUrl() });
  export const removeFile = mutation({ args: { id: v.id("_storage") }, handler: (ctx, { id }) => ctx.storage.delete(id) });
`;

/** Two versions of the app; the second has other code and one index more. */
async function recordVersions(
  app: string,
  deployment: { url: string; adminKey: string },
): Promise<readonly RecordedPush[]> {
  const edit = (file: string, from: string, to: string) => {
    const path = join(app, "convex", file);
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
  };
  writeFileSync(join(app, "convex/kills.ts"), KILLS);
  edit(
    "schema.ts",
    "defineSchema({",
    'defineSchema({ imported: defineTable({ batch: v.number() }).index("by_batch", ["batch"]),',
  );
  edit("counters.ts", "secret = internalQuery", "secret = query");
  const first = await recordPush(app, deployment);
  edit("counters.ts", '"for admins"', '"the second version"');
  edit(
    "schema.ts",
    '.index("by_rank", ["rank"])',
    '.index("by_rank", ["rank"]).index("by_text", ["text", "rank"])',
  );
  return [first, await recordPush(app, deployment)];
}

/** What was asked of the engine over all its lives, and what it has acknowledged. */
class Ledger {
  readonly acknowledged: Sent[] = [];
  readonly startedAt = Date.now();
  /** Acknowledged, and nobody has asked to delete them. */
  readonly files = new Set<string>();
  /** The deletion was acknowledged. */
  readonly removedFiles: string[] = [];
  #sent = 0;
  #batches = 0;

  next(): Sent {
    const n = this.#sent++;
    if (n % 4 === 1)
      return {
        path: "counters:addLater",
        args: { name: `job ${n}`, delayMs: below(MAX_JOB_DELAY_MS) },
      };
    if (n % 4 === 3) return { path: "counters:add", args: { name: "sum", by: 1 } };
    return { path: "notes:write", args: { text: `note ${n % 5}`, rank: n } };
  }

  nextBatch(): string {
    const batch = this.#batches++;
    return `${JSON.stringify({ batch })}\n`.repeat(IMPORTED_ROWS);
  }

  get sent(): number {
    return this.#sent;
  }

  /** How many requests of that kind were sent, and the arguments of those that were acknowledged. */
  of(path: string): readonly Record<string, unknown>[] {
    return this.acknowledged.filter((each) => each.path === path).map(({ args }) => ({ ...args }));
  }

  /** Everything that must be true of the files, whenever the engine was killed. */
  judge(path: string): void {
    const tables = storedTables(path);
    const ranks = (tables.get("notes") ?? []).map(({ rank }) => Number(rank));
    const stored = new Set(ranks);
    expect(stored.size, "no note is there twice").toBe(ranks.length);
    const lost = this.of("notes:write").filter(({ rank }) => !stored.has(Number(rank)));
    expect(lost, "every acknowledged note is there").toEqual([]);

    const counters = tables.get("counters") ?? [];
    const sum = Number(counters.find(({ name }) => name === "sum")?.["value"] ?? 0);
    expect(sum).toBeGreaterThanOrEqual(this.of("counters:add").length);
    expect(sum).toBeLessThanOrEqual(Math.ceil(this.#sent / 4));
    const names = counters.map(({ name }) => (typeof name === "string" ? name : ""));
    const jobs = names.filter((name) => name.startsWith("job "));
    expect(new Set(jobs).size, "no scheduled function ran twice").toBe(jobs.length);
    const beats = names.filter((name) => name === "beats").length;
    expect(beats).toBeLessThanOrEqual((Date.now() - this.startedAt) / 1_000 + 1);

    const files = new Set((tables.get("_storage") ?? []).map(({ _id }) => _id));
    expect(
      [...this.files].filter((id) => !files.has(id)),
      "every acknowledged file",
    ).toEqual([]);
    expect(
      this.removedFiles.filter((id) => files.has(id)),
      "no deleted file",
    ).toEqual([]);

    const batches = (tables.get("imported") ?? []).map(({ batch }) => batch);
    expect(new Set(batches).size).toBeLessThanOrEqual(1);
    expect([0, IMPORTED_ROWS], "an import is there as a whole or not").toContain(batches.length);
  }
}

async function importRows(rows: string, url: string, adminKey: string): Promise<void> {
  const post = async (path: string, body: string) => {
    const headers = { authorization: `Convex ${adminKey}` };
    const response = await fetch(`${url}/api/${path}`, { method: "POST", headers, body });
    return (await response.json()) as Record<string, unknown>;
  };
  const { uploadToken } = await post("import/start_upload", "{}");
  const part = await post(
    `import/upload_part?uploadToken=${String(uploadToken)}&partNumber=1`,
    rows,
  );
  const request = { tableName: "imported", mode: "replace", format: "jsonLines" };
  const finish = { import: request, uploadToken, partTokens: [part] };
  const { importId } = await post("import/finish_upload", JSON.stringify(finish));
  await post("perform_import", JSON.stringify({ importId }));
}

/** Sends files while the engine lives, and deletes every other one. */
async function keepSending(ledger: Ledger, url: string): Promise<void> {
  const client = new ConvexHttpClient(url, { logger: false });
  for (let i = 0; i < MAX_UPLOADS_IN_A_LIFE; i++) {
    const body = new Uint8Array(below(MAX_UPLOADED_BYTES)).fill(i);
    const response = await fetch(await client.mutation(uploadUrl, {}), { method: "POST", body });
    const { storageId: id } = (await response.json()) as { storageId: string };
    if (i % 2 === 0) {
      ledger.files.add(id);
      continue;
    }
    await client.mutation(removeFile, { id });
    ledger.removedFiles.push(id);
  }
}

test(
  "killed at random moments of mutations, uploads, jobs, crons, pushes and imports, an engine keeps what it acknowledged, and does nothing twice",
  { timeout: TEST_MS },
  async () => {
    const ledger = new Ledger();
    const dataFolder = join(temporaryFolder(), "data");
    const database = join(dataFolder, DATABASE_FILE);
    const start = () =>
      startEngineProcess(["--data", dataFolder, "--port", "0", "--site-port", "0"]);
    const first = await start();
    const adminKey = adminKeyOf(dataFolder);
    const versions = await recordVersions(copyApp(), { url: first.url, adminKey });
    expect(await first.end("SIGTERM")).toMatchObject({ code: 0 });
    let kill = () => undefined as void;
    let answersLeft = 0;
    const client = new SendingClient((sent) => {
      ledger.acknowledged.push(sent);
      if (ledger.sent < LIVES * MAX_ANSWERS_IN_A_LIFE) client.send(ledger.next());
      if (--answersLeft === 0) kill();
    });

    const live = async (engine: EngineProcess, life: number) => {
      const killed = new Promise<void>((resolve) => (kill = resolve));
      answersLeft = 1 + below(MAX_ANSWERS_IN_A_LIFE);
      await client.connect(engine.url);
      while (client.unanswered < IN_FLIGHT) client.send(ledger.next());
      const version = versions[life % versions.length];
      const sideWork = [
        ...(life % 3 === 1 ? [keepSending(ledger, engine.url)] : []),
        ...(life % 3 === 0 ? [importRows(ledger.nextBatch(), engine.url, adminKey)] : []),
        ...(life % 3 !== 1 && version !== undefined
          ? [replayPush(version, { url: engine.url, adminKey })]
          : []),
      ];
      const settled = Promise.allSettled(sideWork);
      await killed;
      await engine.end("SIGKILL");
      client.close();
      await settled;
    };

    for (let life = 0; life < LIVES; life++) {
      const engine = await start();
      expect(engine.url, engine.output()).not.toBe("");
      await live(engine, life);
      ledger.judge(database);
    }

    const last = await start();
    const asked = new ConvexHttpClient(last.url, { logger: false });
    expect(["for admins", "the second version"]).toContain(await asked.query(secret, {}));
    await client.connect(last.url);
    await expect.poll(() => client.unanswered, { timeout: 60_000 }).toBe(0);
    const jobs = ledger.of("counters:addLater").length;
    await expect.poll(() => asked.query(jobCount, {}), { timeout: 60_000 }).toBe(jobs);
    client.close();
    expect(await last.end("SIGTERM")).toMatchObject({ code: 0 });
    expect(ledger.acknowledged).toHaveLength(ledger.sent);
    expect(ledger.files.size, "files were acknowledged").toBeGreaterThan(0);
    ledger.judge(database);
  },
);
