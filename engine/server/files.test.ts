import { createHash } from "node:crypto";
import { request } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { STORES, TestEngine } from "../application/test-engine.helpers.ts";
import { createAdminKey } from "../auth/admin-key.ts";
import { systemClock } from "../clock.ts";
import { FILE_PIECE_BYTES, MAX_FILE_BYTES } from "../limits.ts";
import { silentLog } from "../logs/engine-log.ts";
import { temporaryFolder } from "../storage/folder.helpers.ts";
import { DISCARDED_FILES, endOf } from "../transactions/key-space.ts";
import { defaultOptions } from "./engine-options.ts";
import { serve, type Served } from "./serve.ts";

const APP = {
  "files.ts": `
    import { mutationGeneric as mutation, queryGeneric as query } from "convex/server";
    import { v } from "convex/values";
    const args = { id: v.id("_storage") };
    export const url = query({ args, handler: (ctx, { id }) => ctx.storage.getUrl(id) });
    export const row = query({ args, handler: (ctx, { id }) => ctx.db.system.get(id) });
    export const all = query((ctx) => ctx.db.system.query("_storage").collect());
    export const remove = mutation({ args, handler: (ctx, { id }) => ctx.storage.delete(id) });
    export const uploadUrl = mutation((ctx) => ctx.storage.generateUploadUrl());`,
};

let served: Served | null = null;
afterEach(async () => {
  await served?.close();
  served = null;
});

async function start() {
  const engine = await TestEngine.deployed(STORES["sqlite"]!()(), APP);
  const problems: string[] = [];
  const { localUrl } = (served = await serve({
    application: engine.application,
    adminKey: createAdminKey(),
    clock: systemClock,
    log: { ...silentLog, problem: (what) => problems.push(what) },
    options: { ...defaultOptions, port: 0, sitePort: 0, dataFolder: temporaryFolder() },
  }));
  const here = (url: unknown): string => {
    const { pathname, search } = new URL(String(url));
    return localUrl + pathname + search;
  };
  const uploadUrl = async () => here(await engine.mutation("files:uploadUrl"));
  const upload = async (body: string | Buffer, headers: Record<string, string> = {}) =>
    fetch(await uploadUrl(), {
      method: "POST",
      headers,
      body: typeof body === "string" ? body : new Uint8Array(body),
    });
  const stored = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    const { storageId } = (await (await upload(body, headers)).json()) as { storageId: string };
    return { id: storageId, url: here(await engine.query("files:url", { id: storageId })) };
  };
  return { engine, localUrl, problems, uploadUrl, upload, stored };
}

const WAITING = { timeout: 30_000, interval: 5 };
const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest("base64");

describe("sending a file", () => {
  test("a page of any site sends one to the URL that a mutation made, and gets its id", async () => {
    const { engine, upload } = await start();
    const response = await upload("hello", {
      "content-type": "text/plain;charset=UTF-8",
      origin: "https://app.example",
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    const { storageId: id } = (await response.json()) as { storageId: string };
    expect(await engine.query("files:row", { id })).toMatchObject({
      _id: id,
      size: 5,
      sha256: sha256("hello"),
      contentType: "text/plain;charset=UTF-8",
    });
  });

  test("a browser may ask beforehand", async () => {
    const { localUrl, uploadUrl } = await start();
    for (const url of [await uploadUrl(), `${localUrl}/api/storage/x`]) {
      const response = await fetch(url, {
        method: "OPTIONS",
        headers: { origin: "https://app.example", "access-control-request-headers": "digest" },
      });
      expect([response.status, response.headers.get("access-control-allow-headers")]).toEqual([
        204,
        "digest",
      ]);
    }
  });

  test("without a token that holds there is no way in", async () => {
    const { localUrl, uploadUrl } = await start();
    for (const url of [`${localUrl}/api/storage/upload`, `${await uploadUrl()}x`]) {
      const response = await fetch(url, { method: "POST", body: "x" });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: "BadUploadToken" });
    }
  });

  test("a digest is checked, and what is no header of this kind is refused", async () => {
    const { upload } = await start();
    const codeFor = async (headers: Record<string, string>) => {
      const response = await upload("hello", headers);
      return [response.status, ((await response.json()) as { code?: string }).code];
    };
    expect(await codeFor({ digest: `sha-256=${sha256("hello")}` })).toEqual([200, undefined]);
    expect(await codeFor({ digest: `sha-256=${sha256("other")}` })).toEqual([
      400,
      "Sha256Mismatch",
    ]);
    expect(await codeFor({ digest: "md5=abc" })).toEqual([400, "BadHeader"]);
    expect(await codeFor({ "content-type": "nonsense" })).toEqual([400, "BadHeader"]);
    expect(await codeFor({ "content-encoding": "gzip" })).toEqual([415, "UnsupportedEncoding"]);
  });

  test("a sender who hangs up in the middle leaves nothing behind, and is no news for the operator", async () => {
    const { engine, problems, uploadUrl } = await start();
    const discarded = () =>
      engine.storage.range(DISCARDED_FILES, endOf(DISCARDED_FILES), "asc").next();
    const sending = request(await uploadUrl(), { method: "POST" });
    sending.on("error", () => undefined);
    sending.write(Buffer.alloc(3 * FILE_PIECE_BYTES));
    await expect.poll(discarded, WAITING).toBe(true);
    sending.destroy();
    await expect.poll(discarded, WAITING).toBe(false);
    expect(await engine.query("files:all")).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("one that is announced as too large is refused before it is sent", async () => {
    const { uploadUrl } = await start();
    const headers = { "content-length": String(MAX_FILE_BYTES + 1) };
    const sending = request(await uploadUrl(), { method: "POST", headers });
    const status = await new Promise<number | undefined>((resolve, reject) => {
      sending.on("response", (response) => resolve(response.statusCode));
      sending.on("error", reject);
      sending.flushHeaders();
    });
    sending.destroy();
    expect(status).toBe(413);
  });
});

describe("getting a file", () => {
  const LARGE = Buffer.alloc(FILE_PIECE_BYTES + 5_000, "0123456789abcde");

  test("its bytes, type and digest come back, to any site, and HEAD tells the same", async () => {
    const { stored } = await start();
    const { url } = await stored(LARGE, { "content-type": "image/png" });
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(LARGE.length),
      digest: `sha-256=${sha256(LARGE)}`,
      "cache-control": "private, max-age=2592000",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    });
    expect(response.headers.get("content-disposition")).toBeNull();
    expect(Buffer.from(await response.arrayBuffer()).equals(LARGE)).toBe(true);
    const head = await fetch(url, { method: "HEAD" });
    expect([head.headers.get("content-length"), await head.text()]).toEqual([
      String(LARGE.length),
      "",
    ]);
  });

  test.each([
    ["bytes=0-0", 0, 1],
    [
      `bytes=${FILE_PIECE_BYTES - 1}-${FILE_PIECE_BYTES}`,
      FILE_PIECE_BYTES - 1,
      FILE_PIECE_BYTES + 1,
    ],
    ["bytes=-7", LARGE.length - 7, LARGE.length],
    [`bytes=${LARGE.length - 3}-`, LARGE.length - 3, LARGE.length],
    ["bytes=5-99999999", 5, LARGE.length],
  ])("a part of it: %s", async (range, start_, end) => {
    const { stored } = await start();
    const { url } = await stored(LARGE);
    const response = await fetch(url, { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get("content-range")).toBe(
      `bytes ${start_}-${end - 1}/${LARGE.length}`,
    );
    const part = Buffer.from(await response.arrayBuffer());
    expect(part.equals(LARGE.subarray(start_, end))).toBe(true);
  });

  test("a part that is not there, and several at once, are refused; another unit is not looked at", async () => {
    const { stored } = await start();
    const { url } = await stored("12345");
    for (const range of ["bytes=5-", "bytes=3-2", "bytes=-0", "bytes=0-1,3-4", "bytes=x"]) {
      const response = await fetch(url, { headers: { range } });
      expect([response.status, response.headers.get("content-range")]).toEqual([416, "bytes */5"]);
    }
    expect((await fetch(url, { headers: { range: "lines=1-2" } })).status).toBe(200);
  });

  test.each(["text/html", "image/svg+xml", "TEXT/HTML; charset=utf-8", "text/javascript", null])(
    "what a browser would run (%s) is a download without scripts, and no script of the site",
    async (contentType) => {
      const { stored } = await start();
      const typed: Record<string, string> =
        contentType === null ? {} : { "content-type": contentType };
      const { url } = await stored(Buffer.from("<script>alert(1)</script>"), typed);
      const { headers } = await fetch(url);
      expect(headers.get("content-type")).toBe(contentType ?? "application/octet-stream");
      expect(headers.get("content-disposition")).toBe("attachment");
      expect(headers.get("content-security-policy")).toMatch(/^default-src 'none';.*; sandbox$/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      const asScript = { "sec-fetch-site": "same-origin", "sec-fetch-dest": "script" };
      expect(await statusOf(url, asScript)).toBe(403);
      expect(await statusOf(url, { ...asScript, "sec-fetch-dest": "serviceworker" })).toBe(403);
      expect(await statusOf(url, { ...asScript, "sec-fetch-dest": "image" })).toBe(200);
    },
  );

  test("one that was deleted, one that never was, and what is no name: the same answer", async () => {
    const { engine, localUrl, stored } = await start();
    const { id, url } = await stored("x");
    await engine.mutation("files:remove", { id });
    const never = `${localUrl}/api/storage/11111111-2222-4333-8444-555555555555`;
    const texts = new Set<string>();
    for (const address of [
      url,
      never,
      `${never}?component=shelf`,
      `${localUrl}/api/storage/${id}`,
    ]) {
      const response = await fetch(address);
      expect(response.status).toBe(404);
      texts.add(await response.text());
    }
    expect([...texts]).toEqual(['{"code":"FileNotFound","message":"There is no such file."}']);
  });
});

/** With headers that fetch would not let a page set. */
function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    })
      .on("error", reject)
      .end();
  });
}
