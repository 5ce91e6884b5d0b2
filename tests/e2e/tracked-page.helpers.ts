/**
 * Owns: a page that does nothing but use the hook, in React's development build, and what it sends to its server.
 * Not: counting; there is no engine behind it, so that a test sees each message as the browser sent it.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { expect } from "vitest";
import { ROOT } from "../../scripts/checkout.ts";

/** A call of the Convex client ("stats:…") or a beacon ("beacon"). */
export type Message = { name: string; args: Record<string, unknown>; contentType: string };

/** Longer than any debounce or retry of the tracker, on a machine that is busy with other tests. */
export const SENT_WITHIN_MS = 15_000;

const PAGE_SOURCE = `
  import { StrictMode, useEffect, useState } from "react";
  import { createRoot } from "react-dom/client";
  import { getFunctionName } from "convex/server";
  import * as tracking from "./src/tracking/index.ts";

  const { Footfall, isOptedOut, optIn, optOut, useTrackEvent } = tracking;
  const parts = location.pathname.startsWith("/parts") ? [tracking.taggedElements, tracking.engagement] : [];

  const client = {
    url: location.origin,
    mutation: async (reference, args) => {
      const body = JSON.stringify({ name: getFunctionName(reference), args });
      const answer = await fetch("/call", { method: "POST", body });
      if (!answer.ok) throw new Error("Server Error");
    },
  };

  function Page() {
    const [typed, type] = useState(0);
    const [isTracked, track] = useState(true);
    useEffect(() => { Object.assign(window, { type, track, optIn, optOut, isOptedOut }); }, []);
    return <p>{typed}{isTracked ? <Footfall client={client} parts={parts} /> : null}<Child /></p>;
  }
  // Its effects run before those of what follows the page.
  function Child() {
    const trackEvent = useTrackEvent({ client });
    useEffect(() => { if (parts.length > 0) trackEvent("Early", { seats: 3 }, { interactive: false }); }, []);
    return parts.length > 0 ? <button data-footfall-event="Signup">sign up</button> : null;
  }
  addEventListener("pageshow", ({ persisted }) => {
    const body = JSON.stringify({ name: "restored", args: { path: location.pathname } });
    if (persisted) fetch("/call", { method: "POST", body });
  });
  createRoot(document.getElementById("root")).render(<StrictMode><Page /></StrictMode>);
`;

let bundled: Promise<string> | undefined;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: PAGE_SOURCE, loader: "tsx", resolveDir: ROOT },
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    jsxDev: true,
    define: { "process.env.NODE_ENV": '"development"' },
    outfile: join(ROOT, "page.js"),
  });
  return outputFiles[0]?.text ?? "";
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** Scripts are served to any origin, because a sandboxed frame has none of its own. */
const HTML = `<!doctype html><meta charset="utf-8"><div id="root"></div><script type="module" src="/page.js"></script>`;

export type TrackedPages = Awaited<ReturnType<typeof serveTrackedPages>>;

/** Serves the page at every path. "/frame" holds it in a sandboxed frame, "/before?/x" has /x rendered ahead of time. */
export async function serveTrackedPages() {
  const script = await (bundled ??= bundle());
  const renderedAhead = new Set<string>();
  const messages: Message[] = [];
  let failures = 0;

  async function receive(request: IncomingMessage): Promise<number> {
    const contentType = request.headers["content-type"] ?? "";
    const body = JSON.parse(await bodyOf(request)) as { name: string; args: Message["args"] };
    if (request.url === "/e") messages.push({ name: "beacon", args: { ...body }, contentType });
    else messages.push({ ...body, contentType });
    if (failures === 0 || request.url === "/e") return 204;
    failures -= 1;
    return 500;
  }

  const server = createServer((request, response) => {
    response.setHeader("Access-Control-Allow-Origin", "*");
    if (request.method === "POST") {
      void receive(request).then((status) => response.writeHead(status).end());
      return;
    }
    const { pathname, search } = new URL(request.url ?? "/", "http://page");
    if (pathname === "/page.js") {
      response.setHeader("Content-Type", "text/javascript").end(script);
      return;
    }
    if (request.headers["sec-purpose"]?.includes("prerender")) renderedAhead.add(pathname);
    response.setHeader("Content-Type", "text/html").end(documentAt(pathname, search));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://localhost:${port}`,
    messages,
    /** The next calls of the client fail as a server fails. */
    failNext(times: number) {
      failures = times;
    },
    /** The paths that a browser asked for in order to render them ahead of time. */
    renderedAhead,
    /** Waits until these messages have come, and no others, in this order: [name, path]. */
    async expectMessages(...wanted: [name: string, path: string][]) {
      const seen = () =>
        messages.map(({ name, args }) => [name, args["path"] ?? args["currentPath"]] as const);
      await expect.poll(seen, { timeout: SENT_WITHIN_MS }).toEqual(wanted);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function documentAt(pathname: string, search: string): string {
  if (pathname === "/frame")
    return `<!doctype html><iframe sandbox="allow-scripts" src="/framed"></iframe>`;
  if (pathname !== "/before") return HTML;
  const rules = JSON.stringify({
    prerender: [{ urls: [search.slice(1)], eagerness: "immediate" }],
  });
  return `<!doctype html><script type="speculationrules">${rules}</script><a href="${search.slice(1)}">on</a>`;
}
