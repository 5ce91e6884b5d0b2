import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { KeySets } from "./key-sets.ts";
import { userTokens } from "./user-tokens.ts";

const NOW = 1_800_000_000_000;
const NOW_S = NOW / 1000;

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
let server: Server;
let origin: string;
let rsa: Keys;
let ec: Keys;
let stranger: Keys;
let dataUri: string;
let asked: string[] = [];

beforeAll(async () => {
  [rsa, ec, stranger] = await Promise.all([
    generateKeyPair("RS256"),
    generateKeyPair("ES256"),
    generateKeyPair("RS256"),
  ]);
  const jwks = { keys: [{ ...(await exportJWK(rsa.publicKey)), kid: "one", alg: "RS256" }] };
  const ecJwks = { keys: [{ ...(await exportJWK(ec.publicKey)), kid: "two", alg: "ES256" }] };
  dataUri = `data:application/json;base64,${Buffer.from(JSON.stringify(ecJwks)).toString("base64")}`;
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const answers: Record<string, object> = {
      "/.well-known/openid-configuration": { issuer: origin, jwks_uri: `${origin}/keys` },
      "/keys": jwks,
    };
    const answer = answers[request.url ?? ""];
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((closed) => void server.close(() => closed())));

const providers = () => [
  { domain: origin, applicationID: "app" },
  { type: "customJwt", issuer: "https://custom.example", jwks: dataUri, algorithm: "ES256" },
];
const tokens = (now = NOW, known: readonly unknown[] = providers()) =>
  userTokens({ providers: () => known, keySets: new KeySets(), now: () => now });

function signed(claims: JWTPayload, keys = rsa, kid = "one", alg = "RS256"): Promise<string> {
  const usual = { iss: origin, aud: "app", sub: "ada", exp: NOW_S + 60 };
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ alg, kid, typ: "JWT" })
    .sign(keys.privateKey);
}

test("an OIDC token becomes an identity with Convex's names", async () => {
  const token = await signed({ given_name: "Ada", email_verified: true, roles: ["x"] });
  expect(await tokens().verify(token)).toEqual({
    identity: {
      tokenIdentifier: `${origin}|ada`,
      issuer: origin,
      subject: "ada",
      givenName: "Ada",
      emailVerified: true,
      roles: ["x"],
    },
    expiresAt: NOW + 65_000,
  });
});

test("a custom JWT with its keys in a data URI needs no network, and its nested claims are flat", async () => {
  const claims = { iss: "https://custom.example", aud: "anything", properties: { id: 7 } };
  const token = await signed(claims, ec, "two", "ES256");
  const { identity } = await tokens().verify(token);
  expect(identity).toMatchObject({
    tokenIdentifier: "https://custom.example|ada",
    "properties.id": 7,
  });
});

test("a slash at the end of the issuer makes no difference", async () => {
  const token = await signed({ iss: `${origin}/` });
  expect((await tokens().verify(token)).identity).toMatchObject({ issuer: `${origin}/` });
});

test("keys are fetched once for many tokens", async () => {
  asked = [];
  const both = tokens();
  await Promise.all([both.verify(await signed({})), both.verify(await signed({ sub: "b" }))]);
  await both.verify(await signed({ sub: "c" }));
  expect(asked.filter((path) => path === "/keys")).toHaveLength(1);
});

test("clocks may differ by some seconds, not by more", async () => {
  const token = await signed({});
  await expect(tokens(NOW + 64_000).verify(token)).resolves.toBeDefined();
  await expect(tokens(NOW + 66_000).verify(token)).rejects.toMatchObject({
    code: "IdTokenExpired",
  });
});

const refused: readonly [string, () => Promise<string>, string][] = [
  ["text that is no JWT", async () => "a.b.c", "InvalidAuthHeader"],
  ["another issuer", () => signed({ iss: "https://other.example" }), "NoAuthProvider"],
  ["another audience", () => signed({ aud: "other" }), "NoAuthProvider"],
  ["a stranger's signature", () => signed({}, stranger), "Unauthenticated"],
  ["an unknown key", () => signed({}, rsa, "unknown"), "Unauthenticated"],
  [
    "an algorithm that the provider does not use",
    () => signed({ iss: "https://custom.example" }),
    "Unauthenticated",
  ],
  ["a token without a subject", () => signed({ sub: undefined }), "Unauthenticated"],
  ["a token without an end", () => signed({ exp: undefined }), "Unauthenticated"],
  ["a token that is not valid yet", () => signed({ nbf: NOW_S + 30 }), "Unauthenticated"],
  [
    "an unsigned token",
    async () =>
      `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify({ iss: origin, aud: "app", sub: "a", exp: NOW_S + 9 })).toString("base64url")}.`,
    "Unauthenticated",
  ],
];
test.each(refused)("refused: %s", async (_what, token, code) => {
  await expect(tokens().verify(await token())).rejects.toMatchObject({ name: "AuthRefused", code });
});

test("a provider that does not answer is named, and asked again with the next token", async () => {
  const nowhere = [{ domain: `${origin}/nothing`, applicationID: "app" }];
  const away = tokens(NOW, nowhere);
  const token = await signed({ iss: `${origin}/nothing` });
  asked = [];
  for (let i = 0; i < 2; i++) {
    await expect(away.verify(token)).rejects.toMatchObject({
      code: "AuthProviderUnavailable",
      message: expect.stringContaining(
        "/nothing/.well-known/openid-configuration answers 404",
      ) as string,
    });
  }
  expect(asked).toHaveLength(2);
});

test("a malformed auth.config.ts says which entry needs what", async () => {
  const token = await signed({});
  await expect(tokens(NOW, [{ domain: origin }]).verify(token)).rejects.toThrow(
    'Provider 1 of convex/auth.config.ts needs an "applicationID"',
  );
});
