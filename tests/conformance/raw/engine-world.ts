/**
 * Owns: the app on the engine as users have it: pushed by the official CLI, called by the official clients over the
 * websocket and HTTP.
 * Not: convex-test (convex-test-world.ts).
 */
import { join } from "node:path";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import type { Value } from "convex/values";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { silentLog } from "../../../engine/logs/engine-log.ts";
import {
  cleanUp,
  copyApp,
  push,
  temporaryFolder,
} from "../../../engine/server/real-engine.helpers.ts";
import { startEngine } from "../../../engine/server/start.ts";
import type { RunningEngine } from "../../../engine/server/start.ts";
import type { Args, Calls, Pages, User, Watched, WatchedPages, World } from "./world.ts";

const APP = join(import.meta.dirname, "app");
const ISSUER = "https://tokens.example";
const KEY_ID = "k";

type Tokens = { readonly jwks: string; sign(user: User): Promise<string> };

export async function openEngineWorld(): Promise<{ world: World; close(): Promise<void> }> {
  const engine = await startEngine(
    { dataFolder: temporaryFolder(), port: 0, sitePort: 0, disclosure: "development" },
    silentLog,
  );
  const tokens = await newTokens();
  await setVariables(engine, [{ name: "TEST_JWKS", value: tokens.jwks }]);
  await push(copyApp(APP), engine);
  const world = new EngineWorld(engine, tokens);
  const close = async () => {
    await world.close();
    await engine.close();
    await cleanUp();
  };
  return { world, close };
}

async function newTokens(): Promise<Tokens> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID }] });
  return {
    jwks: `data:text/plain;charset=utf-8;base64,${Buffer.from(jwks).toString("base64")}`,
    sign: ({ subject, ...claims }) =>
      new SignJWT({ ...claims, sub: subject, iss: ISSUER, aud: "app" })
        .setProtectedHeader({ alg: "ES256", kid: KEY_ID, typ: "JWT" })
        .setIssuedAt()
        .setExpirationTime("10m")
        .sign(privateKey),
  };
}

async function setVariables(
  { url, adminKey }: RunningEngine,
  changes: { name: string; value: string | null }[],
): Promise<void> {
  const response = await fetch(`${url}/api/update_environment_variables`, {
    method: "POST",
    headers: { authorization: `Convex ${adminKey}` },
    body: JSON.stringify({ changes }),
  });
  if (!response.ok) throw new Error(`The variables were refused: ${await response.text()}`);
}

class EngineWorld implements World {
  readonly runtime = "engine";
  readonly #engine: RunningEngine;
  readonly #tokens: Tokens;
  readonly #client: ConvexClient;
  readonly #calls: Calls;
  readonly #variables = new Set<string>();
  #open: (() => Promise<void> | void)[] = [];

  constructor(engine: RunningEngine, tokens: Tokens) {
    this.#engine = engine;
    this.#tokens = tokens;
    this.#client = new ConvexClient(engine.url, { logger: false });
    this.#calls = callsOf(this.#client);
  }

  query(path: string, args: Args = {}): Promise<Value> {
    return this.#calls.query(path, args);
  }
  mutation(path: string, args: Args = {}): Promise<Value> {
    return this.#calls.mutation(path, args);
  }
  action(path: string, args: Args = {}): Promise<Value> {
    return this.#calls.action(path, args);
  }

  async as({ over, user }: { over?: "http"; user?: User }): Promise<Calls> {
    const token = user === undefined ? null : await this.#tokens.sign(user);
    if (over === "http") {
      const client = new ConvexHttpClient(this.#engine.url, { logger: false });
      if (token !== null) client.setAuth(token);
      return callsOf(client);
    }
    const client = new ConvexClient(this.#engine.url, { logger: false });
    this.#open.push(() => client.close());
    if (token !== null) client.setAuth(async () => token);
    return callsOf(client);
  }

  async fetch(path: string, init: RequestInit = {}, user?: User): Promise<Response> {
    const headers = new Headers(init.headers);
    if (user !== undefined) headers.set("authorization", `Bearer ${await this.#tokens.sign(user)}`);
    return fetch(`${this.#engine.siteUrl}${path}`, { redirect: "manual", ...init, headers });
  }

  async watch(path: string, args: Args = {}): Promise<Watched> {
    const seen = this.#subscribe(path, args);
    await seen.until(() => true);
    return { latest: async () => seen.latest() };
  }

  async watchPages(path: string, args: Args, initialNumItems: number): Promise<WatchedPages> {
    type Shown = { results: Value[]; status: string; loadMore(numItems: number): boolean };
    const heard = new Heard<Shown>();
    const reference = makeFunctionReference<"query", Args, Value[]>(path);
    const stop = this.#client.onPaginatedUpdate_experimental(
      reference,
      args,
      { initialNumItems },
      // Its declared type is a page's; what it hands over is what a component sees (PaginatedQueryResult).
      (shown: object) => heard.tell(shown as Shown),
    );
    this.#open.push(() => stop());
    const isSettled = ({ status }: Shown) => !status.startsWith("Loading");
    const pages = ({ results, status }: Shown): Pages => ({
      items: results,
      isDone: status === "Exhausted",
    });
    await heard.until(isSettled);
    return {
      latest: async () => pages(await heard.until(isSettled)),
      loadMore: async (numItems) => {
        heard.latest().loadMore(numItems);
        await heard.until(({ status }) => status === "LoadingMore");
        return pages(await heard.until(isSettled));
      },
    };
  }

  async until(path: string, args: Args, fits: (value: Value) => boolean): Promise<Value> {
    return this.#subscribe(path, args).until(fits);
  }

  async setVariable(name: string, value: string | null): Promise<void> {
    this.#variables.add(name);
    await setVariables(this.#engine, [{ name, value }]);
  }

  async clear(): Promise<void> {
    for (const close of this.#open.splice(0)) await close();
    for (const name of this.#variables) await this.setVariable(name, null);
    this.#variables.clear();
    await this.mutation("world:clear");
  }

  async close(): Promise<void> {
    for (const close of this.#open.splice(0)) await close();
    await this.#client.close();
  }

  #subscribe(path: string, args: Args): Heard<Value> {
    const heard = new Heard<Value>();
    const reference = makeFunctionReference<"query", Args, Value>(path);
    const stop = this.#client.onUpdate(reference, args, (value) => heard.tell(value));
    this.#open.push(() => stop());
    return heard;
  }
}

/** What a subscription has told so far. */
class Heard<T> {
  #values: T[] = [];
  readonly #waiting = new Set<() => void>();

  tell(value: T): void {
    this.#values = [value];
    for (const look of this.#waiting) look();
  }

  latest(): T {
    const [value] = this.#values;
    if (value === undefined) throw new Error("The subscription has told nothing yet.");
    return value;
  }

  until(fits: (value: T) => boolean): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const [value] = this.#values;
        if (value === undefined || !fits(value)) return;
        this.#waiting.delete(look);
        resolve(value);
      };
      this.#waiting.add(look);
      look();
    });
  }
}

function callsOf(client: ConvexClient | ConvexHttpClient): Calls {
  return {
    query: (path, args = {}) =>
      client.query(makeFunctionReference<"query", Args, Value>(path), args),
    mutation: (path, args = {}) =>
      client.mutation(makeFunctionReference<"mutation", Args, Value>(path), args),
    action: (path, args = {}) =>
      client.action(makeFunctionReference<"action", Args, Value>(path), args),
  };
}
