import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { closeServed, startServed } from "./served.helpers.ts";

afterEach(closeServed);

/** Everything that answers without the admin key. What is added here is open to the world. */
const OPEN_ROUTES = [
  "GET /api/query",
  "GET /api/storage/*",
  "GET /health",
  "GET /instance_name",
  "GET /version",
  "POST /api/action",
  "POST /api/function",
  "POST /api/mutation",
  "POST /api/query",
  "POST /api/query_at_ts",
  "POST /api/query_ts",
  "POST /api/storage/upload",
];

/** Two ways to ask for each admin route: as it stands in the table, and one below it where it is a folder. */
async function adminRoutes() {
  const started = await startServed({ appOrigin: "https://stats.example" });
  const paths = started.served.routes
    .filter(({ access }) => access === "admin")
    .map(({ method, path }) => ({ method, path: path.replace("*", "1") }));
  const ask = (route: { method: string; path: string }, headers: Record<string, string>) =>
    fetch(started.url + route.path, {
      method: route.method,
      headers,
      ...(route.method === "POST" ? { body: "{}" } : {}),
    });
  return { ...started, paths, ask };
}

describe("the admin surface, route by route", () => {
  test("only the routes of this list answer without the key", async () => {
    const { served } = await startServed();
    const open = served.routes.filter(({ access }) => access !== "admin");
    expect(open.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(OPEN_ROUTES);
  });

  const strangers: readonly [string, (key: string) => Record<string, string>][] = [
    ["no key", () => ({})],
    ["a wrong key", (key) => ({ authorization: `Convex ${key.slice(0, -1)}` })],
    ["the key in another form", (key) => ({ authorization: key })],
    [
      "the right key from a page of another site",
      (key) => ({ authorization: `Convex ${key}`, origin: "https://evil.example" }),
    ],
    [
      "the right key from a sandboxed page",
      (key) => ({ authorization: `Convex ${key}`, origin: "null" }),
    ],
    [
      "the right key from a site whose name begins like ours",
      (key) => ({ authorization: `Convex ${key}`, origin: "https://stats.example.evil.example" }),
    ],
    [
      "the right key from a site that is named like this machine",
      (key) => ({ authorization: `Convex ${key}`, origin: "http://localhost.evil.example" }),
    ],
  ];
  test.each(strangers)(
    "with %s every one is the same 401 as a path that is not there",
    async (_, headersOf) => {
      const { paths, ask, adminKey } = await adminRoutes();
      const headers = headersOf(adminKey);
      const asked = [{ method: "POST", path: "/api/no/such/thing" }, ...paths];
      expect(asked.length).toBeGreaterThan(15);
      const seen = new Set<string>();
      for (const route of asked) {
        const response = await ask(route, headers);
        expect(response.headers.get("access-control-allow-origin"), route.path).toBeNull();
        seen.add(`${response.status} ${await response.text()}`);
      }
      expect([...seen]).toEqual([expect.stringMatching(/^401 /)]);
      expect([...seen].join()).not.toContain(adminKey);
    },
  );

  test("no admin route answers a preflight, so no page of another site can send the key", async () => {
    const { paths, url } = await adminRoutes();
    for (const { path } of paths) {
      const response = await fetch(url + path, {
        method: "OPTIONS",
        headers: {
          origin: "https://evil.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization",
        },
      });
      expect(response.headers.get("access-control-allow-origin"), path).toBeNull();
      expect(response.ok, path).toBe(false);
    }
  });

  test("the websocket takes the key from a program, and not from a page of another site", async () => {
    const { url, adminKey } = await startServed();
    const answerTo = async (origin?: string): Promise<string> => {
      const socket = new WebSocket(`${url.replace("http", "ws")}/api/1.0.0/sync`, {
        ...(origin === undefined ? {} : { origin }),
      });
      const answered = new Promise<string>((resolve) =>
        socket.on("message", (data: Buffer) => resolve(data.toString("utf8"))),
      );
      await new Promise((resolve) => socket.once("open", resolve));
      const say = (message: object) => socket.send(JSON.stringify(message));
      say({ type: "Connect", sessionId: "a", connectionCount: 0 });
      say({ type: "Authenticate", tokenType: "Admin", value: adminKey, baseVersion: 0 });
      const answer = await answered;
      socket.terminate();
      return answer;
    };
    expect(await answerTo()).toContain('"type":"Transition"');
    expect(await answerTo("http://localhost:3000")).toContain('"type":"Transition"');
    expect(await answerTo("https://evil.example")).toContain('"type":"AuthError"');
  });
});
