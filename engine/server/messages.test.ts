import { createHash } from "node:crypto";
import { version } from "convex";
import { ConvexClient } from "convex/browser";
import { anyApi, makeFunctionReference } from "convex/server";
import { expect, test } from "vitest";
import { silentLog } from "../logs/engine-log.ts";
import { PROVEN_WITH } from "../sync/protocol/proven-with.helpers.ts";
import { cleanUp, copyApp, onCleanUp, push, temporaryFolder } from "./real-engine.helpers.ts";
import { startEngine } from "./start.ts";
import { MessageShapes } from "./tapped-socket.helpers.ts";

const add = makeFunctionReference<"mutation">("counters:add");
const get = makeFunctionReference<"query">("counters:get");

/** One of each thing that a client can ask for, one after the other. */
async function converse(client: ConvexClient): Promise<void> {
  const refused = (work: Promise<unknown>): Promise<void> => expect(work).rejects.toThrow();
  const shown = Promise.withResolvers<void>();
  const stop = client.onUpdate(get, { name: "n" }, () => shown.resolve());
  await shown.promise;
  await client.mutation(add, { name: "n", by: 1 });
  await refused(client.mutation(anyApi["counters"]!["addAndFail"]!, { name: "n" }));
  await refused(client.mutation(add, { name: "n" }));
  await client.action(anyApi["counters"]!["addTwice"]!, { name: "n" });
  await refused(client.action(makeFunctionReference<"action">("counters:nothing"), {}));
  await refused(client.query(anyApi["counters"]!["crash"]!, {}));
  const paginationOpts = { numItems: 1, cursor: null };
  await client.query(anyApi["notes"]!["page"]!, { paginationOpts });
  stop();
  const signedOut = Promise.withResolvers<void>();
  client.setAuth(
    async () => "no token",
    (isAuthenticated) => {
      if (!isAuthenticated) signedOut.resolve();
    },
  );
  await signedOut.promise;
  await client.mutation(add, { name: "n", by: 1 });
}

test("the messages are those of the convex version that they were proven with", async () => {
  const engine = await startEngine(
    { dataFolder: temporaryFolder(), port: 0, sitePort: 0, disclosure: "production" },
    silentLog,
  );
  onCleanUp(() => engine.close());
  await push(copyApp(), engine);
  const shapes = new MessageShapes();
  const client = new ConvexClient(engine.url, {
    logger: false,
    webSocketConstructor: shapes.socket,
  });
  await converse(client);
  await client.close();
  await cleanUp();
  const messages = createHash("sha256").update(shapes.lines.join("\n")).digest("hex").slice(0, 16);
  expect({ version, messages }, `The messages were:\n${shapes.lines.join("\n")}`).toEqual({
    version: PROVEN_WITH.version,
    messages: PROVEN_WITH.messages,
  });
});
