/**
 * Owns: the place where a visitor's token becomes an identity.
 * Not: yet the checking of tokens: auth by custom JWT and OIDC comes with an issue of its own.
 */
import type { Identity } from "../application.ts";

/** A credential that was offered and does not hold. `code` is what Convex's CLI and clients look at. */
export class AuthRefused extends Error {
  override name = "AuthRefused";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface UserTokens {
  /** Claims of a token that holds; throws AuthRefused with one sentence otherwise. */
  verify(token: string): Promise<Identity>;
}

/** Until auth is built, nobody can act as a user. Refusing is loud; ignoring a token would let a visitor in as nobody. */
export const userTokensNotBuilt: UserTokens = {
  verify: () =>
    Promise.reject(
      new AuthRefused(
        "AuthNotSupported",
        "This engine does not check user tokens yet (auth by custom JWT and OIDC). " +
          "Call without a token, or deploy to Convex.",
      ),
    ),
};
