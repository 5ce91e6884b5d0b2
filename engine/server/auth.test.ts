import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConvexClient, ConvexHttpClient } from "convex/browser";
import { anyApi } from "convex/server";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "../logs/engine-log.ts";
import { cleanUp, copyApp, push, temporaryFolder } from "./real-engine.helpers.ts";
import { startEngine, type RunningEngine } from "./start.ts";

const MS = 60_000;
const ISSUER = "https://tokens.example";
const WHO = `import { httpRouter } from "convex/server";
import { httpAction, mutation, query } from "./_generated/server";
const who = async (ctx: any) => (await ctx.auth.getUserIdentity())?.tokenIdentifier ?? null;
export const asked = query({ args: {}, handler: who });
export const written = mutation({ args: {}, handler: who });
export const overHttp = httpAction(async (ctx) => new Response(String(await who(ctx))));
`;
const HTTP = `import { httpRouter } from "convex/server";
import { overHttp } from "./who";
const http = httpRouter();
http.route({ path: "/who", method: "GET", handler: overHttp });
export default http;
`;

let engine: RunningEngine;
let sign: (subject: string, lastsS?: number) => Promise<string>;

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "k" }] };
  const uri = `data:text/plain;charset=utf-8;base64,${Buffer.from(JSON.stringify(jwks)).toString("base64")}`;
  sign = (subject, lastsS = 600) =>
    new SignJWT({ sub: subject, iss: ISSUER, aud: "app" })
      .setProtectedHeader({ alg: "ES256", kid: "k", typ: "JWT" })
      .setIssuedAt()
      .setExpirationTime(Math.floor(Date.now() / 1000) + lastsS)
      .sign(privateKey);
  engine = await startEngine({ dataFolder: temporaryFolder(), port: 0, sitePort: 0 }, silentLog);
  const app = copyApp();
  const provider = { type: "customJwt", issuer: ISSUER, applicationID: "app", algorithm: "ES256" };
  const config = `export default { providers: [${JSON.stringify({ ...provider, jwks: uri })}] };\n`;
  writeFileSync(join(app, "convex/auth.config.ts"), config);
  writeFileSync(join(app, "convex/who.ts"), WHO);
  writeFileSync(join(app, "convex/http.ts"), HTTP);
  await push(app, engine);
}, MS);
afterAll(async () => {
  await engine.close();
  await cleanUp();
});

test("ConvexHttpClient acts as the user of its token, and is nobody without one", async () => {
  const client = new ConvexHttpClient(engine.url);
  expect(await client.query(anyApi["who"]!["asked"]!)).toBeNull();
  client.setAuth(await sign("ada"));
  expect(await client.query(anyApi["who"]!["asked"]!)).toBe(`${ISSUER}|ada`);
  expect(await client.mutation(anyApi["who"]!["written"]!)).toBe(`${ISSUER}|ada`);
});

test("a token that does not hold is 401 with its reason, and runs nothing", async () => {
  const response = await fetch(`${engine.url}/api/query`, {
    method: "POST",
    headers: { authorization: `Bearer ${await sign("ada", -60)}` },
    body: JSON.stringify({ path: "who:asked", args: {} }),
  });
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ code: "IdTokenExpired" });
});

test(
  "ConvexClient hears the answer for its user, and again for nobody after signing out",
  async () => {
    const client = new ConvexClient(engine.url);
    try {
      const heard: unknown[] = [];
      const hears = (value: unknown) =>
        new Promise<void>((resolve) => {
          client.onUpdate(anyApi["who"]!["asked"]!, {}, (now) => {
            heard.push(now);
            if (now === value) resolve();
          });
        });
      const token = await sign("bob");
      client.setAuth(async () => token);
      await hears(`${ISSUER}|bob`);
      client.client.clearAuth();
      await hears(null);
      expect(heard).toContain(`${ISSUER}|bob`);
    } finally {
      await client.close();
    }
  },
  MS,
);

test("an HTTP action knows the user; a header that is no token of a user is the app's own business", async () => {
  const ask = async (authorization: string) =>
    (await fetch(`${engine.siteUrl}/who`, { headers: { authorization } })).text();
  expect(await ask(`Bearer ${await sign("eve")}`)).toBe(`${ISSUER}|eve`);
  expect(await ask("Bearer of-another-kind")).toBe("null");
});
