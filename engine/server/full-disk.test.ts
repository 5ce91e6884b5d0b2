import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConvexHttpClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import { afterEach, expect, test } from "vitest";
import { adminKeyOf } from "./admin-key-file.ts";
import {
  cleanUp,
  copyApp,
  push,
  startEngineProcess,
  startEngineWithin,
  temporaryFolder,
} from "./real-engine.helpers.ts";

afterEach(cleanUp);

const write = makeFunctionReference<"mutation", { text: string; rank: number }, string>(
  "notes:write",
);
const ranks = makeFunctionReference<"query", Record<string, never>, number[]>("notes:ranks");

const uploadUrl = makeFunctionReference<"mutation", Record<string, never>, string>(
  "files:uploadUrl",
);
const FILES = `
  import { mutation } from "./_generated/server";
  export const uploadUrl = mutation({ args: {}, handler: (ctx) => ctx.storage.generateUploadUrl() });
`;

/** No file may grow beyond this: the log is full after a few notes. */
const QUOTA_BYTES = 6_000_000;
const NOTE = "x".repeat(900_000);
const MAX_NOTES = 40;

test("a full disk refuses writes in words and answers reads; with room again it goes on, and nothing acknowledged is lost", async () => {
  const dataFolder = join(temporaryFolder(), "data");
  const options = ["--data", dataFolder, "--port", "0", "--site-port", "0", "--dev"];
  const first = await startEngineProcess(options);
  const app = copyApp();
  writeFileSync(join(app, "convex/files.ts"), FILES);
  await push(app, { url: first.url, adminKey: adminKeyOf(dataFolder) });
  const { pathname, search } = new URL(
    await new ConvexHttpClient(first.url, { logger: false }).mutation(uploadUrl, {}),
  );
  await first.end("SIGTERM");

  const engine = await startEngineWithin(QUOTA_BYTES, options);
  const client = new ConvexHttpClient(engine.url, { logger: false });
  const acknowledged: number[] = [];
  const fill = async (): Promise<string> => {
    for (let rank = 0; rank < MAX_NOTES; rank++) {
      const outcome = await client
        .mutation(write, { text: NOTE, rank })
        .catch((error: unknown) => error);
      if (outcome instanceof Error) return outcome.message;
      acknowledged.push(rank);
    }
    return "never full";
  };
  expect(await fill()).toMatch(/could not be written to disk .* Free disk space/);
  expect(acknowledged).not.toEqual([]);
  expect(await client.query(ranks, {})).toEqual(acknowledged);
  await expect(client.mutation(write, { text: NOTE, rank: 100 })).rejects.toThrow(
    "Free disk space",
  );
  expect(engine.output()).toContain("Free disk space");
  const upload = () =>
    fetch(engine.url + pathname + search, { method: "POST", body: NOTE.repeat(3) });
  const refused = await upload();
  expect([refused.status, await refused.json()]).toEqual([
    503,
    expect.objectContaining({ code: "NotStored" }),
  ]);

  expect(spawnSync("prlimit", ["--pid", `${engine.pid}`, "--fsize=unlimited"]).status).toBe(0);
  await client.mutation(write, { text: NOTE, rank: 200 });
  expect(await client.query(ranks, {})).toEqual([...acknowledged, 200]);
  expect((await upload()).status).toBe(200);
  await engine.end("SIGKILL");
  const after = await startEngineProcess(options);
  const stored = await new ConvexHttpClient(after.url, { logger: false }).query(ranks, {});
  expect(stored).toEqual([...acknowledged, 200]);
});
