/**
 * Owns: from a visitor's token to an identity: which provider of auth.config.ts issued it, whether it holds.
 * Not: fetching keys (key-sets.ts), how claims are called in user code (claims.ts).
 *
 * As on Convex: OIDC providers by `domain` and `applicationID`, custom JWTs by `issuer`, `jwks` and `algorithm`.
 */
import { decodeJwt, errors, jwtVerify, type JWTPayload } from "jose";
import type { Identity } from "../application.ts";
import { AuthRefused } from "./auth-refused.ts";
import { identityOf } from "./claims.ts";
import type { KeySets } from "./key-sets.ts";
import { parseProviders, type Provider } from "./providers.ts";

/** Clocks of two machines differ; Convex allows as much. */
const CLOCK_TOLERANCE_S = 5;
const MS_PER_S = 1_000;

/** `expiresAt` is epoch ms, the tolerance included. */
export type VerifiedToken = { readonly identity: Identity; readonly expiresAt: number };

export interface UserTokens {
  /** Claims of a token that holds; throws AuthRefused with one sentence otherwise. */
  verify(token: string): Promise<VerifiedToken>;
}

export type UserTokenParts = {
  /** The `providers` of the running auth.config.ts; asked at each token, since a push changes them. */
  readonly providers: () => readonly unknown[];
  readonly keySets: KeySets;
  /** Epoch ms. */
  readonly now: () => number;
};

export function userTokens({ providers, keySets, now }: UserTokenParts): UserTokens {
  return {
    async verify(token) {
      const provider = issuedBy(token, parseProviders(providers()));
      const { keys, issuer } = await keySets.of(provider);
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          ...(provider.applicationId === null ? {} : { audience: provider.applicationId }),
          algorithms: [...provider.algorithms],
          clockTolerance: CLOCK_TOLERANCE_S,
          currentDate: new Date(now()),
          requiredClaims: ["sub", "exp"],
        });
        return verified(payload, provider);
      } catch (error) {
        throw refusal(error);
      }
    },
  };
}

function verified(payload: JWTPayload, provider: Provider): VerifiedToken {
  const expiresAt = ((payload.exp ?? 0) + CLOCK_TOLERANCE_S) * MS_PER_S;
  return { identity: identityOf(payload, provider.kind), expiresAt };
}

/** By what the token says of itself; whether that is true comes after. */
function issuedBy(token: string, providers: readonly Provider[]): Provider {
  const { iss, aud } = unverifiedClaims(token);
  const audiences = Array.isArray(aud) ? aud : [aud];
  const found = providers.find(
    ({ issuer, applicationId }) =>
      withoutSlash(issuer) === withoutSlash(iss ?? "") &&
      (applicationId === null || audiences.includes(applicationId)),
  );
  if (found !== undefined) return found;
  throw new AuthRefused(
    "NoAuthProvider",
    `No auth provider found matching the given token (issuer ${JSON.stringify(iss)}, audience ${JSON.stringify(aud)}). ` +
      "Check convex/auth.config.ts, and push it.",
  );
}

function unverifiedClaims(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    throw new AuthRefused("InvalidAuthHeader", "The token could not be parsed: it is no JWT.");
  }
}

export function withoutSlash(url: string): string {
  return url.replace(/\/$/, "");
}

function refusal(error: unknown): unknown {
  if (error instanceof errors.JWTExpired)
    return new AuthRefused("IdTokenExpired", "The token has expired. Fetch a new one.");
  if (error instanceof errors.JWKSTimeout)
    return new AuthRefused(
      "AuthProviderUnavailable",
      "The keys of the auth provider did not come in time.",
    );
  if (error instanceof errors.JOSEError)
    return new AuthRefused("Unauthenticated", `The token does not hold: ${error.message}.`);
  return error;
}
