import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { StorageError } from "../errors.ts";
import { FILE_PIECE_BYTES, UPLOAD_URL_VALID_MS } from "../limits.ts";
import type { Storage } from "../storage/storage.ts";
import { DISCARDED_FILES, FILES, endOf } from "../transactions/key-space.ts";
import { createId } from "../values/ids.ts";
import { STORES, TestEngine, onEachStore } from "./test-engine.helpers.ts";

const APP = {
  "files.ts": `
    import { mutationGeneric as mutation, queryGeneric as query, actionGeneric as action } from "convex/server";
    import { v } from "convex/values";
    const args = { id: v.id("_storage") };
    export const url = query({ args, handler: (ctx, { id }) => ctx.storage.getUrl(id) });
    export const row = query({ args, handler: (ctx, { id }) => ctx.db.system.get(id) });
    export const all = query((ctx) => ctx.db.system.query("_storage").collect());
    export const metadata = query({ args: { id: v.string() }, handler: (ctx, { id }) => ctx.storage.getMetadata(id) });
    export const remove = mutation({ args, handler: (ctx, { id }) => ctx.storage.delete(id) });
    export const removeAndFail = mutation({ args, handler: async (ctx, { id }) => {
      await ctx.storage.delete(id);
      if ((await ctx.storage.getUrl(id)) === null) throw new Error("gone, for now");
    } });
    export const uploadUrl = mutation((ctx) => ctx.storage.generateUploadUrl());
    export const store = action({ args: { text: v.string() }, handler: (ctx, { text }) => ctx.storage.store(new Blob([text])) });
    export const text = action({ args, handler: async (ctx, { id }) => (await ctx.storage.get(id))?.text() ?? null });`,
};
/** Three pieces, no two alike. */
const LARGE = Buffer.alloc(2 * FILE_PIECE_BYTES + 1_000, "0123456789abcde");
const SHA256 = createHash("sha256").update(LARGE).digest("base64");
const ANY = { contentType: null, sha256: null };

/** In parts that fit no piece. */
async function* partsOf(bytes: Buffer, failsAt = Infinity): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100_000) {
    if (at >= failsAt) throw new Error("the sender hung up");
    yield bytes.subarray(at, at + 100_000);
  }
}

const deployed = (storage: Storage) => TestEngine.deployed(storage, APP);
const nameIn = (url: unknown) => new URL(String(url)).pathname.split("/").at(-1) ?? "";

async function open(engine: TestEngine, id: string) {
  return engine.application.files.open("", nameIn(await engine.query("files:url", { id })));
}

/** Keys of files that a row stands for. */
function namedFiles(storage: Storage): string[] {
  const keys: string[] = [];
  const rows = storage.range(FILES, endOf(FILES), "asc");
  while (rows.next()) {
    if (!rows.value.startsWith("{")) continue;
    const { file } = JSON.parse(rows.value) as { file: string };
    keys.push(file);
  }
  return keys;
}

function discardedFiles(storage: Storage): string[] {
  const keys: string[] = [];
  const rows = storage.range(DISCARDED_FILES, endOf(DISCARDED_FILES), "asc");
  while (rows.next()) keys.push(rows.key.slice(DISCARDED_FILES.length));
  return keys;
}

const WAITING = { timeout: 30_000, interval: 5 };

async function untilNothingIsDiscarded({ storage }: TestEngine): Promise<void> {
  await expect.poll(() => discardedFiles(storage), WAITING).toEqual([]);
}

onEachStore((newStore) => {
  test("a file of many pieces comes back as it was sent, whole and in parts", async () => {
    const engine = await deployed(newStore()());
    const { files } = engine.application;
    const wanted = { contentType: "text/plain", sha256: SHA256 };
    const id = await files.store("", partsOf(LARGE), wanted);
    const file = await open(engine, id);
    expect(file).toMatchObject({ size: LARGE.length, sha256: SHA256, contentType: "text/plain" });
    const part = (start: number, end: number) => Buffer.concat([...(file?.read(start, end) ?? [])]);
    expect(part(0, LARGE.length).equals(LARGE)).toBe(true);
    const [start, end] = [FILE_PIECE_BYTES - 2, 2 * FILE_PIECE_BYTES + 3];
    expect(part(start, end).equals(LARGE.subarray(start, end))).toBe(true);
    expect(await engine.query("files:row", { id })).toMatchObject({
      _id: id,
      size: LARGE.length,
      sha256: SHA256,
      contentType: "text/plain",
    });
    const name = nameIn(await engine.query("files:url", { id }));
    expect(await engine.query("files:metadata", { id: name })).toEqual({
      storageId: name,
      sha256: Buffer.from(SHA256, "base64").toString("hex"),
      size: LARGE.length,
      contentType: "text/plain",
    });
    expect(await engine.action("files:text", { id })).toBe(LARGE.toString());
  });

  test("an empty file is a file", async () => {
    const engine = await deployed(newStore()());
    const id = await engine.action("files:store", { text: "" });
    expect(await engine.query("files:row", { id })).toMatchObject({ size: 0 });
    expect(await engine.action("files:text", { id })).toBe("");
  });

  test("a mutation that deletes a file and fails keeps it; one that succeeds takes its bytes away, and watchers hear", async () => {
    const engine = await deployed(newStore()());
    const id = await engine.application.files.store("", partsOf(LARGE), ANY);
    const live = engine.watch("files:url", { id });
    const url = await engine.seen(live);
    const { message } = await engine.failure("mutation", "files:removeAndFail", { id });
    expect(message).toContain("gone, for now");
    const kept = await engine.application.files.open("", nameIn(url));
    expect(Buffer.concat([...(kept?.read(0, LARGE.length) ?? [])]).equals(LARGE)).toBe(true);

    const [file = ""] = namedFiles(engine.storage);
    await engine.mutation("files:remove", { id });
    expect(await engine.seen(live)).toBeNull();
    expect(await engine.application.files.open("", nameIn(url))).toBeNull();
    await untilNothingIsDiscarded(engine);
    expect(engine.storage.pieceNumbers(file, 10)).toEqual([]);
    expect(() => [...(kept?.read(0, LARGE.length) ?? [])]).toThrow(
      "deleted while it was being read",
    );
    expect(await engine.query("files:all")).toEqual([]);
    const again = await engine.failure("mutation", "files:remove", { id });
    expect(again.message).toContain(`storage id ${id} not found`);
  });

  test("an upload with another digest, and one that breaks off, leave nothing behind", async () => {
    const engine = await deployed(newStore()());
    const { files } = engine.application;
    const wrong = { contentType: null, sha256: createHash("sha256").digest("base64") };
    await expect(files.store("", partsOf(LARGE), wrong)).rejects.toThrow("Sha256 mismatch");
    await expect(files.store("", partsOf(LARGE, 500_000), ANY)).rejects.toThrow("hung up");
    await untilNothingIsDiscarded(engine);
    expect(namedFiles(engine.storage)).toEqual([]);
    expect(await engine.query("files:all")).toEqual([]);
  });

  test("an upload during which the disk fails is not there, and the next one is", async () => {
    const storage = newStore()();
    let flushesLeft = Infinity;
    const flush = storage.flush.bind(storage);
    storage.flush = () => {
      if (flushesLeft-- === 0) throw new StorageError("not-durable", "disk full");
      flush();
    };
    const engine = await deployed(storage);
    flushesLeft = 1;
    await expect(engine.application.files.store("", partsOf(LARGE), ANY)).rejects.toThrow(
      "could not be written to disk",
    );
    const id = await engine.application.files.store("", partsOf(LARGE), ANY);
    await untilNothingIsDiscarded(engine);
    expect(await engine.query("files:all")).toMatchObject([{ _id: id }]);
    expect(await engine.action("files:text", { id })).toBe(LARGE.toString());
  });

  test("a token lets upload for an hour, and not when anything in it is changed", async () => {
    const engine = await deployed(newStore()());
    const { files } = engine.application;
    expect(await files.uploadTarget("")).toBeNull();
    const url = new URL((await engine.mutation("files:uploadUrl")) as string);
    expect(url.pathname).toBe("/api/storage/upload");
    const token = url.searchParams.get("token") ?? "";
    expect(await files.uploadTarget(token)).toBe("");
    const [grant = "", signature = ""] = token.split(".");
    const later = JSON.stringify({ componentPath: "other", until: 1e15 });
    const forged = Buffer.from(later).toString("base64url");
    for (const bad of [grant, `${grant}.`, `${forged}.${signature}`, `${grant}.${"A".repeat(43)}`])
      expect(await files.uploadTarget(bad)).toBeNull();
    await engine.clock.advance(UPLOAD_URL_VALID_MS);
    expect(await files.uploadTarget(token)).toBe("");
    await engine.clock.advance(1);
    expect(await files.uploadTarget(token)).toBeNull();
  });

  test("an import replaces files out of sight, and the old ones go away", async () => {
    const engine = await deployed(newStore()());
    const { moves, files } = engine.application;
    const old = await files.store("", partsOf(LARGE), ANY);
    const oldUrl = await engine.query("files:url", { id: old });
    const [oldFile = ""] = namedFiles(engine.storage);
    const imported = {
      id: createId(540, new Uint8Array(16).fill(7)),
      creationTime: 5,
      sha256: SHA256,
      contentType: "text/plain",
      name: nameIn(oldUrl),
      bytes: async () => partsOf(LARGE),
    };
    const target = moves.beginImport("replaceAll");
    await target.addTable({ componentPath: "", name: "_storage" }, 540);
    await target.insertFile("", imported);
    await expect(target.insertFile("", imported)).rejects.toThrow("is there already");
    expect(await engine.query("files:all")).toMatchObject([{ _id: old }]);
    await target.finish();
    expect(await engine.query("files:all")).toEqual([
      {
        _id: imported.id,
        _creationTime: 5,
        sha256: SHA256,
        size: LARGE.length,
        contentType: "text/plain",
      },
    ]);
    expect(await engine.query("files:url", { id: imported.id })).toBe(oldUrl);
    expect(await engine.query("files:url", { id: old })).toBeNull();
    await expect.poll(() => engine.storage.pieceNumbers(oldFile, 1), WAITING).toEqual([]);
    expect(await engine.action("files:text", { id: imported.id })).toBe(LARGE.toString());
    const snapshot = await moves.snapshot();
    const [exported] = [...snapshot.files("")];
    expect(exported).toMatchObject({ id: imported.id, name: imported.name, size: LARGE.length });
    expect(Buffer.concat([...(exported?.bytes() ?? [])]).equals(LARGE)).toBe(true);
    snapshot.close();
  });
});

test("what a stop left of an unfinished upload is removed at the next start, and a finished one is there", async () => {
  const reopen = STORES["sqlite"]!();
  const engine = await deployed(reopen());
  const id = await engine.application.files.store("", partsOf(LARGE), ANY);
  let resume = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    resume = resolve;
  });
  async function* never(): AsyncGenerator<Uint8Array> {
    yield* partsOf(LARGE);
    await stopped;
    throw new Error("the process is gone");
  }
  const upload = engine.application.files.store("", never(), ANY);
  await expect.poll(() => discardedFiles(engine.storage).length, WAITING).toBe(1);
  const [left = ""] = discardedFiles(engine.storage);
  await engine.application.close();
  resume();
  await expect(upload).rejects.toThrow();

  const again = await TestEngine.open(reopen());
  await untilNothingIsDiscarded(again);
  expect(again.storage.pieceNumbers(left, 10)).toEqual([]);
  expect(await again.query("files:all")).toMatchObject([{ _id: id }]);
  expect(await again.action("files:text", { id })).toBe(LARGE.toString());
  await again.application.close();
});
