import { connect as connectTcp } from "node:net";
import { gzipSync, brotliCompressSync } from "node:zlib";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { FunctionLog } from "../application.ts";
import { silentLog } from "../logs/engine-log.ts";
import { closeServed, startServed as start } from "./served.helpers.ts";

afterEach(closeServed);

const encoded = "convex_encoded_json";

function callOf(path: string, rest: Partial<FunctionLog> = {}): FunctionLog {
  return {
    kind: "mutation",
    target: { componentPath: "", path },
    requestId: "r",
    at: 1000,
    durationMs: 2,
    logLines: [{ level: "LOG", messages: ["'hi'"], at: 1000, isTruncated: false }],
    error: null,
    cached: false,
    footprint: {
      documentsRead: 0,
      documentsWritten: 0,
      databaseQueries: 0,
      bytesRead: 0,
      bytesWritten: 0,
      readRanges: [],
      writtenKeys: [],
    },
    ...rest,
  };
}

describe("functions over HTTP", () => {
  test("a query answers 200 with its value and its log lines", async () => {
    const { post } = await start();
    const response = await post("/api/query", {
      path: "counters:get",
      args: [{ name: "a" }],
      format: encoded,
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: "success",
      value: 0,
      logLines: ["[LOG] 'ran counters:get'"],
    });
  });

  test("a mutation commits and is seen by the next query", async () => {
    const { post } = await start();
    await post("/api/mutation", { path: "counters:add", args: { name: "a", by: 3 } });
    const response = await post("/api/query", { path: "counters:get", args: { name: "a" } });
    expect(await response.json()).toMatchObject({ value: 3 });
  });

  test("a function that fails answers 560 with its ConvexError's data", async () => {
    const { post } = await start();
    const response = await post("/api/mutation", {
      path: "counters:fail",
      args: {},
      format: encoded,
    });
    expect(response.status).toBe(560);
    expect(await response.json()).toMatchObject({
      status: "error",
      errorData: { code: "refused" },
    });
  });

  test("in production a visitor sees no message, stack or log line, an admin sees all", async () => {
    const { post, authorization } = await start({ disclosure: "production" });
    const call = { path: "counters:crash", args: {} };
    const visitor = await (await post("/api/query", call)).text();
    expect(visitor).not.toMatch(/secret detail|fake\.ts|'ran /);
    const admin = await (await post("/api/query", call, { authorization })).text();
    expect(admin).toContain("secret detail");
  });

  test("plain JSON is the default format: integers are decimal strings, bytes base64", async () => {
    const { post } = await start();
    const value = {
      big: { $integer: "AQAAAAAAAAA=" },
      bytes: { $bytes: "AQI=" },
      odd: { $float: "AAAAAAAA8H8=" },
    };
    const plain = await post("/api/action", { path: "counters:echo", args: value });
    expect(await plain.json()).toMatchObject({
      value: { big: "1", bytes: "AQI=", odd: "Infinity" },
    });
    const kept = await post("/api/action", {
      path: "counters:echo",
      args: [value],
      format: encoded,
    });
    expect(await kept.json()).toMatchObject({ value });
  });

  test("an internal function is not found by a visitor and runs for an admin", async () => {
    const { post, authorization } = await start();
    const call = { path: "counters:secret", args: {} };
    const visitor = await post("/api/function", call);
    expect(visitor.status).toBe(560);
    expect(await visitor.text()).toContain("Could not find function");
    expect(await (await post("/api/function", call, { authorization })).json()).toMatchObject({
      value: "for admins",
    });
  });

  test("GET /api/query takes path and args from the address", async () => {
    const { url } = await start();
    const query = new URLSearchParams({
      path: "counters:get",
      args: JSON.stringify({ name: "a" }),
    });
    expect(await (await fetch(`${url}/api/query?${query}`)).json()).toMatchObject({
      status: "success",
      value: 0,
    });
  });

  test("a query at a timestamp is answered while nothing has changed, and refused loudly afterwards", async () => {
    const { post } = await start();
    const { ts } = (await (await post("/api/query_ts", {})).json()) as { ts: string };
    const call = { path: "counters:get", args: [{}], ts };
    expect((await post("/api/query_at_ts", call)).status).toBe(200);
    await post("/api/mutation", { path: "counters:add", args: {} });
    const late = await post("/api/query_at_ts", call);
    expect(late.status).toBe(400);
    expect(await late.json()).toMatchObject({ code: "TimestampTooOld" });
  });

  const malformed: readonly [string, string][] = [
    ["no JSON", "{"],
    ["a list", "[]"],
    ["no path", "{}"],
    ["a path that is a number", '{"path":1}'],
    ["arguments that are a number", '{"path":"a:b","args":1}'],
    ["a format of any depth", `{"path":"a:b","format":${"[".repeat(50_000)}${"]".repeat(50_000)}}`],
    [
      "arguments nested deeper than any stack",
      `{"path":"a:b","args":{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`,
    ],
    ["an unknown format", '{"path":"a:b","args":{},"format":"xml"}'],
  ];
  test.each(malformed)("a body with %s is one sentence with 400", async (_what, body) => {
    const { url } = await start();
    const response = await fetch(`${url}/api/query`, { method: "POST", body });
    expect(response.status).toBe(400);
    expect(Object.keys((await response.json()) as object)).toEqual(["code", "message"]);
  });

  test.each(["x/version?", "x/version#", "x\\version?", "user@x", "x y"])(
    "the host %j cannot become a part of the path",
    async (host) => {
      const { url } = await start();
      const answer = await rawGet(Number(new URL(url).port), "/instance_name", { host });
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  test("a packed body is unpacked, and one that unpacks to too much is refused", async () => {
    const { url } = await start();
    const send = (body: Buffer, encoding: string) =>
      fetch(`${url}/api/query`, {
        method: "POST",
        body: new Uint8Array(body),
        headers: { "content-encoding": encoding },
      });
    const call = Buffer.from(JSON.stringify({ path: "counters:get", args: {} }));
    expect((await send(gzipSync(call), "gzip")).status).toBe(200);
    expect((await send(brotliCompressSync(call), "br")).status).toBe(200);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, " "));
    expect(bomb.length).toBeLessThan(100_000);
    expect((await send(bomb, "gzip")).status).toBe(413);
    expect((await send(call, "gzip")).status).toBe(400);
    expect((await send(call, "lzma")).status).toBe(415);
  });
});

describe("the admin surface", () => {
  test("without the key every admin path, known or not, gives the same 401", async () => {
    const { url, post } = await start();
    const answers = [
      await post("/api/deploy2/start_push", {}),
      await post("/api/no/such/thing", {}),
      await fetch(`${url}/api/stream_function_logs?cursor=0`),
      await post("/api/get_config_hashes", {}, { authorization: "Bearer x" }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401, 401]);
    const bodies = await Promise.all(answers.slice(0, 3).map((answer) => answer.text()));
    expect(new Set(bodies).size).toBe(1);
  });

  test("a wrong key is refused, also one that begins like the right one", async () => {
    const { post, adminKey } = await start();
    for (const wrong of ["", "footfall|", adminKey.slice(0, -1), `${adminKey}0`]) {
      const response = await post(
        "/api/get_config_hashes",
        {},
        { authorization: `Convex ${wrong}` },
      );
      expect(response.status).toBe(401);
    }
  });

  test("a page of another site cannot use the key; a page on this machine and the configured origin can", async () => {
    const { post, authorization } = await start({ appOrigin: "https://stats.example" });
    const from = async (origin: string) =>
      (await post("/api/get_config_hashes", {}, { authorization, origin })).status;
    expect(await from("https://evil.example")).toBe(401);
    expect(await from("null")).toBe(401);
    expect(await from("http://localhost:6791")).toBe(200);
    expect(await from("https://stats.example")).toBe(200);
  });

  test("a page of another site gets no CORS header there, and may call public functions", async () => {
    const { url, post, authorization } = await start();
    const origin = "https://shop.example";
    const closed = await post("/api/get_config_hashes", {}, { authorization, origin });
    expect(closed.headers.get("access-control-allow-origin")).toBeNull();
    const preflight = await fetch(`${url}/api/mutation`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type");
    const called = await post("/api/query", { path: "counters:get" }, { origin });
    expect(called.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("environment variables are set, listed and removed; a bad name is one sentence", async () => {
    const { url, post, authorization } = await start();
    const change = (changes: object[]) =>
      post("/api/update_environment_variables", { changes }, { authorization });
    expect(
      (
        await change([
          { name: "A_KEY", value: "1" },
          { name: "B", value: "2" },
        ])
      ).status,
    ).toBe(200);
    await change([{ name: "B", value: null }]);
    const listed = await fetch(`${url}/api/v1/list_environment_variables`, {
      headers: { authorization },
    });
    expect(await listed.json()).toEqual({ environmentVariables: { A_KEY: "1" } });
    const bad = await change([{ name: "1 bad", value: "x" }]);
    expect(bad.status).toBe(400);
    expect(((await bad.json()) as { message: string }).message).toContain("1 to 40 letters");
  });

  test("a call that holds up the others is named on the terminal, with --log-calls or without", async () => {
    const notes: string[] = [];
    const { application } = await start(
      { slowMs: 20 },
      { ...silentLog, note: (sentence) => void notes.push(sentence) },
    );
    application.log(callOf("a:quick", { durationMs: 19 }));
    application.log(callOf("a:slow", { durationMs: 21 }));
    expect(notes).toEqual([
      expect.stringMatching(/^Slow: the mutation a:slow took 21 ms;.*\(--slow-ms.* 20\.\)$/),
    ]);
  });

  test("logs are polled: what is there at once, what comes when it comes", async () => {
    const { url, application, authorization } = await start();
    const poll = async (cursor: number) =>
      (await (
        await fetch(`${url}/api/stream_function_logs?cursor=${cursor}`, {
          headers: { authorization },
        })
      ).json()) as { entries: Record<string, unknown>[]; newCursor: number };
    const call = (path: string) => application.log(callOf(path));
    call("a:b");
    const first = await poll(0);
    expect(first.entries).toMatchObject([
      { kind: "Completion", udfType: "Mutation", identifier: "a:b", timestamp: 1 },
    ]);
    const next = poll(first.newCursor);
    call("a:default");
    expect((await next).entries).toMatchObject([{ identifier: "a" }]);
  });

  test("what is not there is named, with the way out, and not with a status that the CLI tries again", async () => {
    const { post, authorization } = await start();
    const response = await post("/api/unheard_of", {}, { authorization });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      message: expect.stringContaining("/api/unheard_of is not supported") as string,
    });
  });
});

describe("HTTP actions", () => {
  test("answer on the second port and on the main origin, with their own status and headers", async () => {
    const { url, served } = await start();
    for (const origin of [url, served.siteUrl]) {
      const response = await fetch(`${origin}/hook?x=1`, { method: "POST", body: "hello" });
      expect(response.status).toBe(201);
      expect(response.headers.get("access-control-allow-origin")).toBe("https://shop.example");
      expect(await response.json()).toMatchObject({
        method: "POST",
        body: "hello",
        ip: "127.0.0.1",
      });
    }
    expect((await fetch(`${served.siteUrl}/elsewhere`)).status).toBe(404);
  });

  test("C21: a visitor cannot choose an address; only the hop of a trusted proxy counts", async () => {
    const ipSeen = async (trustedProxies: number, headers: Record<string, string>) => {
      const { url } = await start({ trustedProxies });
      return ((await (await fetch(`${url}/hook`, { headers })).json()) as { ip: string | null }).ip;
    };
    const forged = { "x-forwarded-for": "203.0.113.9, 198.51.100.7" };
    expect(await ipSeen(0, forged)).toBe("127.0.0.1");
    expect(await ipSeen(1, forged)).toBe("198.51.100.7");
    expect(await ipSeen(2, forged)).toBe("203.0.113.9");
    expect(await ipSeen(1, {})).toBeNull();
  });
});

describe("plain facts", () => {
  test("health tells the last commit, and that nothing is late; version and name are plain text", async () => {
    const { url, application } = await start();
    expect(await (await fetch(`${url}/health`)).json()).toEqual({
      status: "up",
      lastCommit: application.commitTs.toString(),
      lastCommitAt: new Date(Number(application.commitTs / 1_000_000n)).toISOString(),
      workerLagMs: 0,
      schemaVersion: null,
    });
    expect((await fetch(`${url}/version`)).headers.get("content-type")).toContain("text/plain");
    expect(await (await fetch(`${url}/instance_name`)).text()).toBe("footfall");
  });

  test("a port that is in use is one sentence that names the option", async () => {
    const { url } = await start();
    await expect(start({ port: Number(new URL(url).port) })).rejects.toThrow(
      /^Port \d+ on 127\.0\.0\.1 is in use\..*--port/,
    );
  });

  test("listening beyond this machine is said", async () => {
    const notes: string[] = [];
    await start(
      { host: "0.0.0.0" },
      { ...silentLog, note: (sentence) => void notes.push(sentence) },
    );
    expect(notes.join()).toContain("Other machines can reach the engine");
    notes.length = 0;
    await start({}, { ...silentLog, note: (sentence) => void notes.push(sentence) });
    expect(notes).toEqual([]);
  });

  test("closing answers what runs, lets waiting log readers go and frees the port", async () => {
    const { url, application, served, authorization, post } = await start();
    let go = () => undefined as void;
    application.gate = new Promise((resolve) => (go = resolve));
    const running = post("/api/mutation", { path: "counters:add", args: {} });
    const far = Date.now() + 1e9;
    const polling = fetch(`${url}/api/stream_function_logs?cursor=${far}`, {
      headers: { authorization },
    });
    await fetch(`${url}/health`);
    const closing = served.close();
    go();
    expect((await running).status).toBe(200);
    expect((await polling).status).toBe(200);
    await closing;
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });
});

describe("the site", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });
  async function startWithSite() {
    const folder = mkdtempSync(join(tmpdir(), "footfall-site-"));
    folders.push(folder);
    const site = join(folder, "dist");
    mkdirSync(join(site, "assets"), { recursive: true });
    writeFileSync(join(folder, "outside.txt"), "secret");
    writeFileSync(join(site, "index.html"), "<!doctype html><title>Home</title>");
    writeFileSync(join(site, "assets", "app-Ab12_3-9.js"), `export default "${"x".repeat(2000)}";`);
    writeFileSync(join(site, "icon.svg"), "<svg/>");
    return { site, ...(await start({ siteFolder: site })) };
  }

  test("pages of the app are index.html, asked for anew; hashed assets are kept for ever", async () => {
    const { url } = await startWithSite();
    for (const path of ["/", "/stats", "/posts/how-it-counts"]) {
      const page = await fetch(url + path);
      expect(page.status).toBe(200);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.headers.get("cache-control")).toBe("no-cache");
    }
    const asset = await rawGet(Number(new URL(url).port), "/assets/app-Ab12_3-9.js", {
      header: "Accept-Encoding: gzip, br",
    });
    expect(asset).toMatch(/^content-type: text\/javascript; charset=utf-8/im);
    expect(asset).toMatch(/^cache-control: .*immutable/im);
    expect(asset).toMatch(/^content-encoding: br/im);
  });

  test("a missing file is 404 and not the page", async () => {
    const { url } = await startWithSite();
    for (const path of ["/assets/gone-12345678.js", "/missing.png"])
      expect((await fetch(url + path)).status).toBe(404);
  });

  test("an unchanged file is 304, a rebuilt one is read anew", async () => {
    const { url, site } = await startWithSite();
    const etag = (await fetch(url)).headers.get("etag") ?? "";
    expect((await fetch(url, { headers: { "if-none-match": etag } })).status).toBe(304);
    writeFileSync(join(site, "index.html"), "<!doctype html><title>Home, rebuilt</title>");
    const again = await fetch(url, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(200);
    expect(await again.text()).toContain("rebuilt");
  });

  test("pages carry a policy without third parties or inline code, and are not sniffed or framed", async () => {
    const { url } = await startWithSite();
    const { headers } = await fetch(url);
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain(`connect-src 'self' ws://${new URL(url).host}`);
    expect(policy).not.toContain("unsafe");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
  });

  const traversals = [
    "/../outside.txt",
    "/%2e%2e/outside.txt",
    "/..%2foutside.txt",
    "/assets/..%2f..%2foutside.txt",
    "/%2e%2e%5coutside.txt",
    "/assets/%00",
    "//outside.txt",
    "/%",
  ];
  test.each(traversals)("nothing outside of the folder is reached by %s", async (path) => {
    const { url } = await startWithSite();
    const answer = await rawGet(Number(new URL(url).port), path);
    expect(answer).not.toContain("secret");
    expect(answer).not.toMatch(/^HTTP\/1\.1 5/);
  });

  test("HEAD answers like GET without a body, other methods are not taken", async () => {
    const { url } = await startWithSite();
    const head = await fetch(url, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    expect((await fetch(url, { method: "DELETE" })).status).toBe(404);
  });
});

/** fetch would tidy the path up. */
function rawGet(
  port: number,
  path: string,
  { header = "Accept: */*", host = "localhost" } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp(port, "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString()));
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${header}\r\nConnection: close\r\n\r\n`);
  });
}
