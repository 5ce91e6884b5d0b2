/**
 * Owns: a push that the official CLI made once, to be made again without it, as often and as fast as a test likes.
 * Not: what is in it.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { push, type Deployment } from "./real-engine.helpers.ts";

export type RecordedPush = { readonly body: Uint8Array<ArrayBuffer>; readonly encoding: string };

const START_PUSH = "/api/deploy2/start_push";

/** Pushes an app and keeps what the CLI sent. */
export async function recordPush(folder: string, engine: Deployment): Promise<RecordedPush> {
  let recorded: RecordedPush | null = null;
  const proxy = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const { authorization = "" } = request.headers;
      const encoding = String(request.headers["content-encoding"] ?? "identity");
      if (request.url === START_PUSH) recorded = { body, encoding };
      const answer = await fetch(`${engine.url}${request.url ?? ""}`, {
        method: request.method ?? "GET",
        headers: { authorization, "content-encoding": encoding },
        ...(request.method === "POST" ? { body } : {}),
      });
      response.statusCode = answer.status;
      response.end(new Uint8Array(await answer.arrayBuffer()));
    })();
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  try {
    await push(folder, { ...engine, url: `http://127.0.0.1:${port}` });
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
  if (recorded === null) throw new Error("The CLI has started no push.");
  return recorded;
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new Uint8Array(Buffer.concat(chunks));
}

/** The steps of the CLI. Resolves when the engine has said that the push is finished. */
export async function replayPush(recorded: RecordedPush, engine: Deployment): Promise<void> {
  const post = async (path: string, body: BodyInit, encoding = "identity"): Promise<unknown> => {
    const headers = { authorization: `Convex ${engine.adminKey}`, "content-encoding": encoding };
    const response = await fetch(engine.url + path, { method: "POST", headers, body });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  const startPush = (await post(START_PUSH, recorded.body, recorded.encoding)) as {
    readonly schemaChange: unknown;
  };
  const { schemaChange } = startPush;
  await post("/api/deploy2/wait_for_schema", JSON.stringify({ schemaChange }));
  await post("/api/deploy2/finish_push", JSON.stringify({ startPush, dryRun: false }));
}
