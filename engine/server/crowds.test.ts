import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ConvexHttpClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { runs } from "../../tests/long.helpers.ts";
import { MAX_ARGS_BYTES } from "../limits.ts";
import { MAX_MODIFICATIONS } from "../sync/protocol/modify-query-set.ts";
import { closeReasons } from "../sync/wire.ts";
import { adminKeyOf } from "./admin-key-file.ts";
import {
  cleanUp,
  copyApp,
  push,
  startEngineProcess,
  temporaryFolder,
  type EngineProcess,
} from "./real-engine.helpers.ts";
import { closeServed, startServed } from "./served.helpers.ts";

/** In the long run as many as an operator may meet on a busy day. */
const IDLE_SOCKETS = runs(400, 10_000);
/** A socket costs its buffers and a session; beyond this something is kept that should not be. */
const MAX_BYTES_PER_SOCKET = 60_000;
/** What a process grows and shrinks by, whoever is connected. */
const RSS_NOISE_BYTES = 120_000_000;

let engine: EngineProcess;
beforeAll(async () => {
  const dataFolder = join(temporaryFolder(), "data");
  engine = await startEngineProcess(["--data", dataFolder, "--port", "0", "--site-port", "0"]);
  await push(copyApp(), { url: engine.url, adminKey: adminKeyOf(dataFolder) });
});
afterAll(cleanUp);

const write = makeFunctionReference<"mutation", { text: string; rank: number }, string>(
  "notes:write",
);
const add = makeFunctionReference<"mutation", { name: string; by: number }, number>("counters:add");

type Message = { readonly type: string; readonly modifications?: { readonly value?: unknown }[] };

async function open(url: string) {
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/1.0.0/sync`);
  const heard: Message[] = [];
  const waiting = new Set<() => void>();
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString("utf8") })),
  );
  socket.on("error", () => socket.terminate());
  socket.on("message", (data: Buffer) => {
    heard.push(JSON.parse(data.toString("utf8")) as Message);
    for (const look of waiting) look();
  });
  await new Promise((resolve) => socket.once("open", resolve));
  const say = (message: object) => socket.send(JSON.stringify(message));
  say({ type: "Connect", sessionId: crypto.randomUUID(), connectionCount: 0 });
  const until = (fits: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!fits()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const ask = (baseVersion: number, queries: readonly { udfPath: string; args: object }[]) =>
    say({
      type: "ModifyQuerySet",
      baseVersion,
      newVersion: baseVersion + 1,
      modifications: queries.map(({ udfPath, args }, i) => ({
        type: "Add",
        queryId: baseVersion * queries.length + i,
        udfPath,
        args: [args],
      })),
    });
  const values = () =>
    heard.flatMap(({ modifications = [] }) => modifications.map(({ value }) => value));
  return { socket, heard, closed, say, ask, until, values };
}

/** Null where the system does not tell. */
function residentBytes(pid: number): number | null {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return null;
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(path, "utf8"))?.[1]) * 1_024;
}

describe("a crowd", () => {
  test("of idle sockets costs little memory, and every one of them hears of a change", async () => {
    const before = residentBytes(engine.pid);
    const crowd: Awaited<ReturnType<typeof open>>[] = [];
    while (crowd.length < IDLE_SOCKETS)
      crowd.push(...(await Promise.all(Array.from({ length: 100 }, () => open(engine.url)))));
    for (const { ask } of crowd) ask(0, [{ udfPath: "counters:get", args: { name: "crowd" } }]);
    await Promise.all(crowd.map(({ until, values }) => until(() => values().includes(0))));
    const after = residentBytes(engine.pid);
    if (before !== null && after !== null)
      expect(after - before).toBeLessThan(RSS_NOISE_BYTES + crowd.length * MAX_BYTES_PER_SOCKET);
    const client = new ConvexHttpClient(engine.url, { logger: false });
    expect(await client.mutation(add, { name: "crowd", by: 5 })).toBe(5);
    await Promise.all(crowd.map(({ until, values }) => until(() => values().includes(5))));
    for (const { socket } of crowd) socket.terminate();
  });
});

describe("a reader that does not read", () => {
  test("gets the newest state when it reads again, and costs no queue of old ones meanwhile", async () => {
    const slow = await open(engine.url);
    slow.ask(0, [{ udfPath: "notes:newest", args: {} }]);
    await slow.until(() => slow.values().length > 0);
    slow.socket.pause();
    const client = new ConvexHttpClient(engine.url, { logger: false });
    const versions = 40;
    for (let rank = 1; rank <= versions; rank++)
      await client.mutation(write, { text: "x".repeat(900_000), rank });
    slow.socket.resume();
    const ranks = () => slow.values().map((value) => (value as { rank?: number } | null)?.rank);
    await slow.until(() => ranks().includes(versions));
    // What the kernel's buffers took before they were full, the one that waited, and the newest.
    expect(ranks().length).toBeLessThan(versions - 10);
    slow.socket.terminate();
  });

  test("is cut off when answers to its own calls pile up, and others are served on", async () => {
    const { url, post } = await startServed();
    const greedy = await open(url);
    greedy.socket.pause();
    const megabyte = "x".repeat(1_000_000);
    for (let requestId = 0; requestId < 110; requestId++) {
      greedy.say({ type: "Action", requestId, udfPath: "counters:echo", args: [{ megabyte }] });
    }
    const isCutOff = async () => {
      if (greedy.socket.readyState === WebSocket.OPEN) greedy.socket.ping();
      const added = await post("/api/mutation", { path: "counters:add", args: { name: "a" } });
      expect(added.status).toBe(200);
      return greedy.socket.readyState;
    };
    await expect.poll(isCutOff, { timeout: 60_000 }).not.toBe(WebSocket.OPEN);
    greedy.socket.terminate();
    await closeServed();
  });
});

describe("a client that asks for too much", () => {
  test("of a million queries is closed with the reason after the first thousands, and a bystander's mutations are answered", async () => {
    const greedy = await open(engine.url);
    const bystander = new ConvexHttpClient(engine.url, { logger: false });
    const each = 1_000;
    let isClosed = false;
    void greedy.closed.then(() => (isClosed = true));
    let answered = 0;
    for (let version = 0; version < 1_000_000 / each && !isClosed; version++) {
      const queries = Array.from({ length: each }, (_, i) => ({
        udfPath: "counters:get",
        args: { name: `${version} ${i}` },
      }));
      greedy.ask(version, queries);
      expect(await bystander.mutation(add, { name: "bystander", by: 1 })).toBe(++answered);
    }
    expect(await greedy.closed).toEqual(closeReasons.tooManyQueries);
    expect(greedy.values().length).toBeLessThanOrEqual(MAX_MODIFICATIONS);
    expect(await bystander.mutation(add, { name: "bystander", by: 1 })).toBe(++answered);
  });

  test("of queries with huge arguments is closed before they fill the memory", async () => {
    const greedy = await open(engine.url);
    const name = "x".repeat(MAX_ARGS_BYTES / 4);
    for (let version = 0; version < 5; version++)
      greedy.ask(version, [{ udfPath: "counters:get", args: { name: `${version}${name}` } }]);
    expect(await greedy.closed).toEqual(closeReasons.tooManyQueries);
  });

  test("in one frame is closed with the code for that, before the frame has arrived", async () => {
    const greedy = await open(engine.url);
    greedy.socket.send("x".repeat(2 * MAX_ARGS_BYTES));
    expect((await greedy.closed).code).toBe(1009);
    expect(engine.output()).not.toContain("failed");
  });
});
