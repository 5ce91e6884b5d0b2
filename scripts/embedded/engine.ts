/**
 * Owns: an embedded engine on a data folder and a port, open until it is closed.
 * Not: what runs on it (push.ts, content), and how it works (engine/).
 */
import { createServer } from "node:net";
import { startEngine, type EngineOptions } from "../../engine/index.ts";
import { DEFAULT_PORT, type Options } from "../options.ts";
import type { Engine } from "./env-file.ts";
import { SITE_FOLDER } from "./site.ts";

export type OpenEngine = Engine & { close(): Promise<void> };

type ToOpen = Pick<Options, "dataFolder" | "host" | "port"> & Partial<Pick<Options, "engine">>;

/** How many ports from DEFAULT_PORT on are tried before any free one will do. */
const PORTS_TRIED = 50;

export async function openEngine(
  { dataFolder, host, port, engine = {} }: ToOpen,
  disclosure: EngineOptions["disclosure"] = "production",
): Promise<OpenEngine> {
  const running = await startEngine({
    ...engine,
    dataFolder,
    host,
    port: port ?? (await firstFreePort(host)),
    // The HTTP actions are on the one origin too; their port of their own is only for who wants it as on Convex.
    sitePort: 0,
    siteFolder: SITE_FOLDER,
    disclosure,
  });
  return { dataFolder, url: running.url, adminKey: running.adminKey, close: () => running.close() };
}

async function firstFreePort(host: string): Promise<number> {
  for (let port = DEFAULT_PORT; port < DEFAULT_PORT + PORTS_TRIED; port += 1) {
    if (await isFree(host, port)) return port;
  }
  return 0;
}

function isFree(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once("error", () => resolve(false));
  server.listen({ host, port }, () => server.close(() => resolve(true)));
  return promise;
}
