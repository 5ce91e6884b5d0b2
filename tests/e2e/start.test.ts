/** What `npm start` promises at the terminal. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { api } from "../../convex/_generated/api.js";
import {
  footfallForTest,
  newFolder,
  pushWith,
  removeFolder,
  runScript,
  startFootfall,
} from "./footfall.helpers.ts";

function folderForTest(name: string): string {
  const folder = newFolder(name);
  onTestFinished(() => removeFolder(folder));
  return folder;
}

async function failedStart(args: readonly string[], dataFolder: string): Promise<string> {
  const { ended, output } = runScript("start.ts", args, dataFolder);
  expect((await ended).code).toBe(1);
  expect(output()).not.toMatch(/^\s+at /m);
  return output();
}

test("a second start keeps the data, pushes and builds nothing, and Ctrl-C ends each with code 0", async () => {
  const dataFolder = folderForTest("second-start");
  const first = await startFootfall(dataFolder);
  await first.client.mutation(api.stats.recordPageView, {
    path: "/",
    pageType: "home",
    sessionId: "visitor-1",
  });
  expect(readFileSync(`${dataFolder}.env`, "utf8")).toContain(`CONVEX_SELF_HOSTED_URL=`);
  expect(await first.stop()).toEqual({ code: 0, signal: null });
  expect(existsSync(`${dataFolder}.env`)).toBe(false);

  const second = await startFootfall(dataFolder);
  const { totalPageViews, publishedPosts } = await second.client.query(api.stats.getStats, {});
  expect(totalPageViews).toBe(1);
  expect(publishedPosts).toBeGreaterThanOrEqual(3);
  expect(second.output()).not.toMatch(/Pushed|Built/);
  expect(second.output().match(/Footfall is at/g)).toHaveLength(1);
  expect(await second.stop("SIGTERM")).toEqual({ code: 0, signal: null });
});

test("a second engine on the same folder is refused and told which process holds it", async () => {
  const { child, dataFolder, client } = await footfallForTest("held");
  const message = await failedStart(["--data", dataFolder, "--port", "0"], dataFolder);
  expect(message).toContain(String(child.pid));
  expect(await client.query(api.stats.getStats, {})).toMatchObject({ totalPageViews: 0 });
});

test("a port in use is one clear sentence", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? String(address.port) : "";
  const dataFolder = folderForTest("port");
  expect(await failedStart(["--data", dataFolder, "--port", port], dataFolder)).toMatch(
    new RegExp(`Port ${port} .*in use.*--port`),
  );
});

test("a data folder that cannot be written is one clear sentence", async () => {
  const folder = folderForTest("unwritable");
  writeFileSync(join(folder, "file"), "");
  const dataFolder = join(folder, "file", "data");
  expect(await failedStart(["--data", dataFolder, "--port", "0"], folder)).toContain(dataFolder);
});

test("an option that does not exist is refused with those that do", async () => {
  const folder = folderForTest("options");
  expect(await failedStart(["--prot", "80"], folder)).toContain(
    "Known: --port N, --data DIR, --host H, --app-origin URL, --trusted-proxies N, --slow-ms N, --help.",
  );
});

test("a schema that old rows violate is refused with the table's name, and the data stays as it was", async () => {
  const dataFolder = folderForTest("schema");
  const first = await startFootfall(dataFolder);
  const schema = readFileSync(join(import.meta.dirname, "../../convex/schema.ts"), "utf8");
  await pushWith(first, {
    "strict.ts": schema,
    "schema.ts": `import strict from "./strict";
      import { defineSchema } from "convex/server";
      export * from "./strict";
      export default defineSchema(strict.tables, { schemaValidation: false });`,
    "seed.ts": `import { internalMutation } from "./_generated/server";
      export const badRow = internalMutation(async (ctx) => { await ctx.db.insert("pageViews", { path: 7 }); });`,
  });
  expect(await first.cli("run", "seed:badRow")).toMatchObject({ code: 0 });
  await first.stop();

  const message = await failedStart(["--data", dataFolder, "--port", "0"], dataFolder);
  expect(message).toContain("pageViews");
  expect(message).toContain("the data is as it was");
});
