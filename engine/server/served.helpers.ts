/**
 * Owns: the server's faces over a small application in memory, and short ways to ask them.
 * Not: the real engine (real-engine.helpers.ts).
 */
import { createAdminKey } from "../auth/admin-key.ts";
import { systemClock } from "../clock.ts";
import { silentLog, type EngineLog } from "../logs/engine-log.ts";
import { counterFunctions, createFakeApplication } from "../sync/fake-application.helpers.ts";
import { defaultOptions, type EngineOptions } from "./engine-options.ts";
import { serve, type Served } from "./serve.ts";

const open: Served[] = [];

/** All that were started since the last call; one that a test has closed is closed. */
export async function closeServed(): Promise<void> {
  for (const served of open.splice(0)) await served.close();
}

export async function startServed(
  options: Partial<EngineOptions> = {},
  log: EngineLog = silentLog,
) {
  const application = createFakeApplication(counterFunctions);
  const adminKey = createAdminKey();
  const served = await serve({
    application,
    adminKey,
    clock: systemClock,
    log,
    options: { ...defaultOptions, port: 0, sitePort: 0, disclosure: "development", ...options },
  });
  open.push(served);
  const authorization = `Convex ${adminKey}`;
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(served.localUrl + path, { method: "POST", body: JSON.stringify(body), headers });
  return { application, adminKey, served, authorization, post, url: served.localUrl };
}
