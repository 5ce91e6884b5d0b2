/**
 * Owns: the public keys of auth providers: where they are, fetching and keeping them.
 * Not: what is checked with them (user-tokens.ts).
 *
 * The library fetches a set once, keeps it for some minutes, and asks again for a key that it does not know, but not
 * more often than every half minute: tokens with invented key ids cannot make the engine ask again and again.
 */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from "jose";
import { AuthRefused } from "./auth-refused.ts";
import type { Provider } from "./providers.ts";

const ANSWER_WITHIN_MS = 5_000;
const DISCOVERY_PATH = "/.well-known/openid-configuration";

/** `issuer` as the tokens must say it. */
export type ProviderKeys = { readonly keys: JWTVerifyGetKey; readonly issuer: string[] };

export class KeySets {
  readonly #known = new Map<string, Promise<ProviderKeys>>();

  /** Throws AuthRefused when they cannot be had; then the next token tries again. */
  of(provider: Provider): Promise<ProviderKeys> {
    const key = JSON.stringify([provider.issuer, provider.jwks]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const opening = open(provider);
    this.#known.set(key, opening);
    opening.catch(() => this.#known.delete(key));
    return opening;
  }
}

async function open({ issuer, jwks }: Provider): Promise<ProviderKeys> {
  const bare = issuer.replace(/\/$/, "");
  const location = jwks ?? (await discovered(bare));
  return { keys: keysAt(location), issuer: [bare, `${bare}/`] };
}

function keysAt(location: string): JWTVerifyGetKey {
  if (!URL.canParse(location)) throw unavailable(`"${location}" is no URL`);
  const url = new URL(location);
  if (url.protocol !== "data:") {
    const remote = createRemoteJWKSet(url, { timeoutDuration: ANSWER_WITHIN_MS });
    return async (header, token) => {
      try {
        return await remote(header, token);
      } catch (error) {
        if (error instanceof TypeError) throw unavailable(`${location} cannot be reached`);
        throw error;
      }
    };
  }
  return createLocalJWKSet(inDataUri(location));
}

function inDataUri(uri: string): JSONWebKeySet {
  const [, head = "", body = ""] = /^data:([^,]*),(.*)$/s.exec(uri) ?? [];
  const isBase64 = head.endsWith(";base64");
  try {
    const text = isBase64 ? Buffer.from(body, "base64").toString("utf8") : decodeURIComponent(body);
    return JSON.parse(text) as JSONWebKeySet;
  } catch (cause) {
    throw unavailable(`the data URI holds no JSON: ${String(cause)}`);
  }
}

async function discovered(issuer: string): Promise<string> {
  const url = `${issuer}${DISCOVERY_PATH}`;
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const response = await fetch(url, { signal, headers: { accept: "application/json" } }).catch(
    (cause: unknown) => {
      throw unavailable(`${url} cannot be reached: ${String(cause)}`);
    },
  );
  if (!response.ok) throw unavailable(`${url} answers ${response.status}`);
  const document: unknown = await response.json().catch(() => null);
  const jwks =
    typeof document === "object" && document !== null && "jwks_uri" in document
      ? document.jwks_uri
      : null;
  if (typeof jwks !== "string") throw unavailable(`${url} names no jwks_uri`);
  return jwks;
}

function unavailable(reason: string): AuthRefused {
  return new AuthRefused(
    "AuthProviderUnavailable",
    `The keys of the auth provider cannot be had: ${reason}. Check convex/auth.config.ts and the provider.`,
  );
}
