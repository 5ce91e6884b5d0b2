/** Owns: ctx.storage and its system table, in every kind of function. Not: sending and getting files over HTTP (engine/server/files.test.ts). */
import { createHash } from "node:crypto";
import type { Value } from "convex/values";
import { describe, expect, test } from "vitest";
import { failureOf } from "./world.ts";
import type { Args, CurrentWorld } from "./world.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64");
type Metrics = Record<string, { used: number; remaining: number }>;

export function describeFiles(current: CurrentWorld): void {
  const store = async (text: string, rest: Args = {}) =>
    (await current().action("files:store", { text, ...rest })) as string;
  const stored = async (args: Args) =>
    (await current().mutation("files:storeInMutation", args)) as { id: string; read: Value };

  describe("of actions", () => {
    test("what is stored comes back with its type and size", async () => {
      const world = current();
      const id = await store("ünï", { type: "text/x-test" });
      expect(await world.action("files:read", { id })).toEqual({
        text: "ünï",
        type: "text/x-test",
        size: 5,
      });
      expect(await world.action("files:read", { id: await store("plain") })).toEqual({
        text: "plain",
        type: "",
        size: 5,
      });
    });

    test("they make URLs, also for uploads, and delete", async () => {
      expect(await current().action("files:inAction")).toEqual({
        before: "string",
        after: null,
        uploadUrl: expect.stringMatching(
          /^https?:\/\/.+\/api\/storage\/upload\?token=.+/,
        ) as string,
      });
    });

    test("HTTP actions store what they are sent, and serve it", async () => {
      const world = current();
      const body = new Blob([new Uint8Array([0, 1, 255])], { type: "image/x-test" });
      const { id } = (await (await world.fetch("/files", { method: "POST", body })).json()) as {
        id: string;
      };
      const served = await world.fetch(`/files?id=${id}`);
      expect(served.headers.get("content-type")).toBe("image/x-test");
      expect(new Uint8Array(await served.arrayBuffer())).toEqual(new Uint8Array([0, 1, 255]));
      await world.mutation("files:remove", { id });
      expect((await world.fetch(`/files?id=${id}`)).status).toBe(404);
    });

    test("a component has files of its own", async () => {
      expect(await current().action("files:ofComponent")).toEqual({
        there: { hasRow: true, hasUrl: true },
        here: 0,
      });
    });
  });

  describe("their rows in _storage", () => {
    test("tell size, digest, type and time", async () => {
      const world = current();
      const id = await store("hello", { type: "text/plain" });
      const row = {
        _id: id,
        _creationTime: expect.any(Number) as number,
        sha256: sha256("hello"),
        size: 5,
        contentType: "text/plain",
      };
      expect(await world.query("files:row", { id })).toEqual(row);
      expect(await world.query("files:rowOf", { id })).toEqual(row);
      const untyped = (await world.query("files:row", { id: await store("") })) as object;
      expect(untyped).toMatchObject({ size: 0, sha256: sha256("") });
      expect(untyped).not.toHaveProperty("contentType");
    });

    test("are read in the order of storing", async () => {
      const world = current();
      const ids = [await store("a"), await store("b"), await store("a")];
      const rows = (await world.query("files:rows")) as { _id: string; sha256: string }[];
      expect(rows.map(({ _id }) => _id)).toEqual(ids);
      expect(rows.map(({ sha256: digest }) => digest)).toEqual(["a", "b", "a"].map(sha256));
      expect(await world.query("files:newest")).toMatchObject({ _id: ids[2] });
    });

    test("have ids that validators and normalizeId know, and no other's", async () => {
      const world = current();
      const id = await store("x");
      expect(await world.query("files:normalized", { text: id })).toBe(id);
      const [note = ""] = (await world.mutation("rows:insert", {
        table: "notes",
        docs: [{ text: "x" }],
      })) as string[];
      expect(await world.query("files:normalized", { text: note })).toBeNull();
      const { message } = await failureOf(world.query("files:url", { id: note }));
      expect(message).toMatch(/_storage/);
    });

    test("are not written by hand", async () => {
      await failureOf(current().mutation("files:write"));
      expect(await current().query("files:rows")).toEqual([]);
    });
  });

  describe("of mutations", () => {
    test("a URL is there as long as the file is, and watchers hear", async () => {
      const world = current();
      const id = await store("x");
      const watched = await world.watch("files:url", { id });
      expect(await watched.latest()).toMatch(/^https?:\/\/.+\/api\/storage\/.+/);
      await world.mutation("files:remove", { id });
      expect(await watched.latest()).toBeNull();
      expect(await world.query("files:row", { id })).toBeNull();
      expect(await world.action("files:read", { id })).toBeNull();
      await failureOf(world.mutation("files:remove", { id }));
    });

    test("one that deletes and fails keeps the file, also as a child", async () => {
      const world = current();
      const id = await store("kept");
      const { message } = await failureOf(world.mutation("files:removeAndFail", { id }));
      expect(message).toContain("inside it is null");
      const kept = { text: "kept", type: "", size: 4 };
      expect(await world.action("files:read", { id })).toEqual(kept);
      expect(await world.mutation("files:removeInChild", { id })).toEqual(kept);
      expect(await world.query("files:url", { id })).not.toBeNull();
    });

    test("an upload URL is a new one each time", async () => {
      const world = current();
      const urls = [
        await world.mutation("files:uploadUrl"),
        await world.mutation("files:uploadUrl"),
      ];
      for (const url of urls) expect(url).toMatch(/\/api\/storage\/upload\?token=.+/);
      expect(urls[0]).not.toBe(urls[1]);
    });

    test("they store small files, which they can read at once, and others afterwards", async () => {
      const world = current();
      const { id, read } = await stored({ text: "inside", type: "text/plain" });
      const whole = { text: "inside", type: "text/plain", size: 6 };
      expect(read).toEqual(whole);
      expect(await world.action("files:read", { id })).toEqual(whole);
      expect(await world.query("files:row", { id })).toMatchObject({ sha256: sha256("inside") });
    });

    test("a digest that does not fit fails, and so does what comes after: nothing is stored", async () => {
      const world = current();
      await stored({ text: "x", sha256: sha256("x") });
      const { message } = await failureOf(stored({ text: "x", sha256: sha256("y") }));
      expect(message).toContain("Sha256 mismatch");
      await failureOf(stored({ text: "x", fails: true }));
      expect(await world.query("files:rows")).toHaveLength(1);
    });

    test("a child that fails takes its files back, and they do not count", async () => {
      const world = current();
      const metrics = (await world.mutation("files:storeInChild")) as Metrics;
      expect(metrics).toMatchObject({
        filesWritten: { used: 1, remaining: 9 },
        fileWriteBytes: { used: 4 },
        filesRead: { used: 0, remaining: 10 },
      });
      const rows = (await world.query("files:rows")) as { sha256: string }[];
      expect(rows.map(({ sha256: digest }) => digest)).toEqual([sha256("kept")]);
    });

    test("one that is stored and deleted in the same mutation never was, and does not count", async () => {
      const world = current();
      const { metrics, read } = (await world.mutation("files:storeAndRemove")) as {
        metrics: Metrics;
        read: Value;
      };
      expect(read).toBeNull();
      expect(metrics).toMatchObject({ filesWritten: { used: 0 }, fileWriteBytes: { used: 0 } });
      expect(await world.query("files:rows")).toEqual([]);
    });

    test("what is read counts once, and more than ten files are too many", async () => {
      const world = current();
      const id = await store("hello");
      expect(await world.mutation("files:readInMutation", { id })).toMatchObject({
        read: { text: "hello" },
        metrics: { filesRead: { used: 1 }, fileReadBytes: { used: 5 } },
      });
      await world.mutation("files:storeMany", { count: 10 });
      const { message } = await failureOf(world.mutation("files:storeMany", { count: 11 }));
      expect(message).toContain("Too many files stored by this mutation");
      expect(await world.query("files:rows")).toHaveLength(11);
    });
  });
}
