import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { ConvexReactClient } from "convex/react";
import { makeFunctionReference, type FunctionReference } from "convex/server";
import { ConvexError, type Value } from "convex/values";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { silentLog } from "../logs/engine-log.ts";
import { cleanUp, copyApp, push, temporaryFolder } from "./real-engine.helpers.ts";
import { startEngine, type RunningEngine } from "./start.ts";

type ByName = { name: string };
type Note = { text: string; rank: number; big?: bigint; bytes?: ArrayBuffer };
type NotePage = { page: Note[]; isDone: boolean; continueCursor: string };
const get = makeFunctionReference<"query", ByName, number>("counters:get");
const add = makeFunctionReference<"mutation", ByName & { by: number }, number>("counters:add");
const addAndFail = makeFunctionReference<"mutation", ByName, null>("counters:addAndFail");
const crash = makeFunctionReference<"query", Record<string, never>, null>("counters:crash");
const addLater = makeFunctionReference<"mutation", ByName & { delayMs: number }, null>(
  "counters:addLater",
);
const addTwice = makeFunctionReference<"action", ByName, null>("counters:addTwice");
const greeting = makeFunctionReference<"query", Record<string, never>, string | null>(
  "counters:greeting",
);
const write = makeFunctionReference<"mutation", Note, string>("notes:write");
const newest = makeFunctionReference<"query", Record<string, never>, Note | null>("notes:newest");
const page = makeFunctionReference<
  "query",
  { paginationOpts: { numItems: number; cursor: string | null } },
  NotePage
>("notes:page");

let engine: RunningEngine;
let dataFolder: string;
beforeAll(async () => {
  dataFolder = temporaryFolder();
  engine = await startEngine(
    { dataFolder, port: 0, sitePort: 0, disclosure: "development" },
    silentLog,
  );
  await push(copyApp(), engine);
});
afterAll(async () => {
  await engine.close();
  await cleanUp();
});

/** Each test has names of its own, so that they do not see each other's rows. */
let testNumber = 0;
let name = "";
const closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  name = `test ${testNumber++}`;
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function newClient(): ConvexClient {
  const client = new ConvexClient(engine.url, { logger: false });
  closing.push(() => client.close());
  return client;
}

/** Every value that a subscription shows, and a promise for the first one that fits. */
function watch<Args extends Record<string, Value>, Result>(
  client: ConvexClient,
  query: FunctionReference<"query", "public", Args, Result>,
  args: Args,
) {
  const seen: Result[] = [];
  const waiting = new Set<() => void>();
  const stop = client.onUpdate(query, args, (value: Result) => {
    seen.push(value);
    for (const look of waiting) look();
  });
  const until = (fits: (value: Result) => boolean) =>
    new Promise<Result>((resolve) => {
      const look = () => {
        const last = seen.at(-1);
        if (last === undefined || !fits(last)) return;
        waiting.delete(look);
        resolve(last);
      };
      waiting.add(look);
      look();
    });
  return { seen, until, stop };
}

describe("ConvexClient over the websocket", () => {
  test("sees another client's commit without asking", async () => {
    const [reader, writer] = [newClient(), newClient()];
    const counter = watch(reader, get, { name });
    await counter.until((value) => value === 0);
    await writer.mutation(add, { name, by: 2 });
    expect(await counter.until((value) => value === 2)).toBe(2);
  });

  test("reads its own write as soon as its mutation has resolved", async () => {
    const client = newClient();
    const counter = watch(client, get, { name });
    await counter.until((value) => value === 0);
    for (let by = 1; by <= 5; by++) {
      const value = await client.mutation(add, { name, by: 1 });
      expect(counter.seen.at(-1)).toBe(value);
    }
  });

  test("mutations that are sent without waiting run in order, and the counter never goes back", async () => {
    const client = newClient();
    const counter = watch(client, get, { name });
    const values = await Promise.all(
      Array.from({ length: 50 }, () => client.mutation(add, { name, by: 1 })),
    );
    expect(values).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    await counter.until((value) => value === 50);
    expect(counter.seen).toEqual([...counter.seen].sort((a, b) => Number(a) - Number(b)));
  });

  test("an optimistic update is never shown on top of the state that holds its own mutation", async () => {
    const client = new ConvexReactClient(engine.url, { logger: false });
    closing.push(() => client.close());
    const shown: unknown[] = [];
    const counter = client.watchQuery(get, { name });
    const loaded = Promise.withResolvers<void>();
    counter.onUpdate(() => {
      shown.push(counter.localQueryResult());
      loaded.resolve();
    });
    await loaded.promise;
    const increment = () =>
      client.mutation(
        add,
        { name, by: 1 },
        {
          optimisticUpdate: (store, args) =>
            store.setQuery(
              get,
              { name: args.name },
              Number(store.getQuery(get, { name: args.name }) ?? 0) + 1,
            ),
        },
      );
    await Promise.all(Array.from({ length: 20 }, increment));
    expect(Math.max(...shown.map(Number))).toBe(20);
    expect(counter.localQueryResult()).toBe(20);
  });

  test("a failed mutation rejects with the ConvexError's data, and nothing of it stays", async () => {
    const client = newClient();
    const failure = await client.mutation(addAndFail, { name }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConvexError);
    expect((failure as ConvexError<Value>).data).toEqual({ code: "refused", name });
    expect(await client.query(get, { name })).toBe(0);
  });

  test("a wrong argument is an error that names it, and the connection goes on", async () => {
    const client = newClient();
    await expect(client.mutation(add, { name, by: "two" as unknown as number })).rejects.toThrow(
      /ArgumentValidationError[\s\S]*by/,
    );
    await expect(client.mutation(add, { name } as { name: string; by: number })).rejects.toThrow(
      /by/,
    );
    await expect(client.query(makeFunctionReference<"query">("no:such"), {})).rejects.toThrow(
      /Could not find/,
    );
    expect(await client.mutation(add, { name, by: 1 })).toBe(1);
  });

  test("a query that fails is told as failed, with its message in development", async () => {
    const client = newClient();
    await expect(client.query(crash, {})).rejects.toThrow("a detail for developers");
  });

  test("an action runs its mutations, a scheduled mutation runs by itself", async () => {
    const client = newClient();
    await client.action(addTwice, { name });
    expect(await client.query(get, { name: `${name}/second` })).toBe(1);
    const later = watch(client, get, { name: `${name}/later` });
    await client.mutation(addLater, { name: `${name}/later`, delayMs: 10 });
    expect(await later.until((value) => value === 1)).toBe(1);
  });

  test("every type of value comes back as it was stored", async () => {
    const client = newClient();
    const bytes = new Uint8Array([0, 1, 255]).buffer;
    await client.mutation(write, { text: "ünïcode 😀", rank: -0.5, big: 2n ** 62n, bytes });
    expect(await client.query(newest, {})).toMatchObject({
      text: "ünïcode 😀",
      rank: -0.5,
      big: 2n ** 62n,
      bytes,
    });
  });
});

describe("ConvexReactClient", () => {
  test("pages stay gapless while rows are added between them", async () => {
    const writer = newClient();
    for (const rank of [10, 20, 30, 40]) await writer.mutation(write, { text: name, rank });
    const client = new ConvexReactClient(engine.url, { logger: false });
    closing.push(() => client.close());
    const first = await client.query(page, { paginationOpts: { numItems: 2, cursor: null } });
    const second = client.watchQuery(page, {
      paginationOpts: { numItems: 100, cursor: first.continueCursor },
    });
    const ranks = () => second.localQueryResult()?.page.map((note) => note.rank) ?? [];
    const arrived = Promise.withResolvers<void>();
    second.onUpdate(() => {
      if (ranks().includes(25.5)) arrived.resolve();
    });
    await writer.mutation(write, { text: name, rank: 25.5 });
    await arrived.promise;
    const all = [...first.page.map((note) => note.rank), ...ranks()];
    expect(all).toEqual([...all].sort((a, b) => a - b));
    expect(new Set(all).size).toBe(all.length);
  });
});

const MAX_ASKED = 20;

/** The app's cron may commit between the moment that a client keeps and its question; then, as it is told, a new client asks. */
async function consistently<T>(ask: (client: ConvexHttpClient) => Promise<T>): Promise<T> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await ask(new ConvexHttpClient(engine.url, { logger: false }));
    } catch (error) {
      if (asked === MAX_ASKED || !String(error).includes("TimestampTooOld")) throw error;
    }
  }
}

describe("ConvexHttpClient", () => {
  test("calls queries, mutations and actions, and gets ConvexErrors", async () => {
    const client = new ConvexHttpClient(engine.url, { logger: false });
    expect(await client.mutation(add, { name, by: 3 })).toBe(3);
    expect(await client.query(get, { name })).toBe(3);
    await client.action(addTwice, { name });
    await expect(client.mutation(addAndFail, { name })).rejects.toBeInstanceOf(ConvexError);
    const first = await consistently((asking) =>
      asking.consistentQuery(get, { name: `${name}/first` }),
    );
    expect(first).toBe(1);
  });

  test("internal functions need the admin key", async () => {
    const client = new ConvexHttpClient(engine.url, { logger: false });
    const secret = makeFunctionReference<"query">("counters:secret");
    await expect(client.query(secret, {})).rejects.toThrow(/Could not find public function/);
    const asAdmin = await fetch(`${engine.url}/api/query`, {
      method: "POST",
      headers: { authorization: `Convex ${engine.adminKey}` },
      body: JSON.stringify({ path: "counters:secret", args: {} }),
    });
    expect(await asAdmin.json()).toMatchObject({ value: "for admins" });
  });
});

describe("HTTP actions of the app", () => {
  test("answer on both origins, with path prefixes", async () => {
    for (const origin of [engine.url, engine.siteUrl]) {
      const added = await fetch(`${origin}/add`, { method: "POST", body: name });
      expect(added.status).toBe(201);
      expect(added.headers.get("x-added")).toBe(name);
      expect(await (await fetch(`${origin}/echo/a/b`)).text()).toBe("/echo/a/b");
    }
    expect(await new ConvexHttpClient(engine.url).query(get, { name })).toBe(2);
    expect((await fetch(`${engine.siteUrl}/nowhere`)).status).toBe(404);
  });
});

describe("the environment", () => {
  test("a changed variable is seen by a live query", async () => {
    const client = newClient();
    const greet = watch(client, greeting, {});
    await greet.until((value) => value === null);
    await fetch(`${engine.url}/api/update_environment_variables`, {
      method: "POST",
      headers: { authorization: `Convex ${engine.adminKey}` },
      body: JSON.stringify({ changes: [{ name: "GREETING", value: "hello" }] }),
    });
    expect(await greet.until((value) => value === "hello")).toBe("hello");
  });
});
