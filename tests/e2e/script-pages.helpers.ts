/**
 * Owns: the pages of tests/e2e/pages/ with the built script on them, and what it sends to its server.
 * The script is there under any name that ends in .js.
 * Not: counting; there is no engine behind it, so that a test sees each hit as the browser sent it.
 */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { serve } from "../../convex/model/script.ts";
import { ROOT } from "../../scripts/checkout.ts";

export type Hit = {
  kind: string;
  path: string;
  sessionId: string;
  eventId?: string;
  [field: string]: unknown;
};

export type Received = { hit: Hit; url: string; headers: IncomingMessage["headers"] };

/** Longer than any debounce or wait of the script, on a machine that is busy with other tests. */
const SENT_WITHIN_MS = 10_000;

const PAGES = join(ROOT, "tests/e2e/pages");
const WITH_POLICY = ["policy", "parts"];
const POLICY = "script-src 'nonce-abc' 'strict-dynamic'; connect-src 'self'";

export type ScriptPages = Awaited<ReturnType<typeof serveScriptPages>>;

/** Serves `pages/<name>.html` at /<name> and at every path below it. */
export async function serveScriptPages() {
  const received: Received[] = [];
  const renderedAhead = new Set<string>();
  let failures = 0;
  let answering = Promise.resolve();

  async function receive(request: IncomingMessage): Promise<number> {
    const hit = JSON.parse(await text(request)) as Hit;
    received.push({ hit, url: request.url ?? "", headers: request.headers });
    await answering;
    if (failures === 0) return 204;
    failures -= 1;
    return 503;
  }

  function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? "/", "http://page");
    const [, name = ""] = url.pathname.split("/");
    if (url.pathname.endsWith(".js")) return void give(url, response);
    if (url.pathname === "/missing") response.statusCode = 404;
    if (WITH_POLICY.includes(name)) response.setHeader("Content-Security-Policy", POLICY);
    if (request.headers["sec-purpose"]?.includes("prerender")) renderedAhead.add(url.pathname);
    response.setHeader("Content-Type", "text/html").end(pageNamed(name));
  }

  const server = createServer((request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    if (request.method !== "POST") return answer(request, response);
    void receive(request).then((status) => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://localhost:${port}`,
    received,
    hits: () => received.map(({ hit }) => hit),
    /** The next hits fail as a server fails. */
    failNext(times: number) {
      failures = times;
    },
    /** From now on no hit is answered, until what is returned is called. */
    holdAnswers(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      answering = promise;
      return resolve;
    },
    /** The events that have come: [name, properties]. */
    events: () =>
      received
        .filter(({ hit }) => hit.kind === "event")
        .map(({ hit }) => [hit["name"], hit["properties"]] as const),
    /** The paths that a browser asked for in order to render them ahead of time. */
    renderedAhead,
    /** Waits until these hits have come, and no others, in this order: "view /a". */
    async expectHits(...wanted: string[]) {
      const seen = () => received.map(({ hit }) => `${hit.kind} ${hit.path}`);
      await expect.poll(seen, { timeout: SENT_WITHIN_MS }).toEqual(wanted);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function give(url: URL, response: ServerResponse): Promise<void> {
  const answer = await serve(new Request(url));
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}

function pageNamed(name: string): string {
  return /^\w+$/.test(name) ? readFileSync(join(PAGES, `${name}.html`), "utf8") : "";
}

/** Runs one of the functions that the page offers. */
export async function call(page: Page, name: string, ...args: string[]): Promise<void> {
  await page.evaluate(
    ([name = "", ...args]) => (Reflect.get(window, name) as (...args: string[]) => void)(...args),
    [name, ...args],
  );
}
