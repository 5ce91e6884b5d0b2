/**
 * Owns: who a caller is, from the credentials they bring.
 * Not: what they may do (application.ts decides that by `Caller`), nor which routes need an admin (server/).
 */
import type { Caller, Identity } from "../application.ts";
import { isSameKey } from "./admin-key.ts";
import { AuthRefused } from "./auth-refused.ts";
import type { UserTokens } from "./user-tokens.ts";

export const visitor: Caller = { kind: "visitor", identity: null };

const refusedKey = () =>
  new AuthRefused("BadAdminKey", "The provided admin key was invalid for this instance.");
const refusedHeader = () =>
  new AuthRefused(
    "InvalidAuthHeader",
    'The Authorization header must be "Bearer <token>" or "Convex <admin key>".',
  );

export class Authenticator {
  readonly #adminKey: string;
  readonly #userTokens: UserTokens;

  constructor(adminKey: string, userTokens: UserTokens) {
    this.#adminKey = adminKey;
    this.#userTokens = userTokens;
  }

  admin(key: string, actingAs: Identity | null): Caller {
    if (!isSameKey(key, this.#adminKey)) throw refusedKey();
    return { kind: "admin", identity: actingAs };
  }

  /** `expiresAt` is epoch ms; whoever keeps the caller for longer than one call must let go of it then. */
  async user(token: string): Promise<{ readonly caller: Caller; readonly expiresAt: number }> {
    const { identity, expiresAt } = await this.#userTokens.verify(token);
    return { caller: { kind: "visitor", identity, token }, expiresAt };
  }

  /** `Convex <key>[:<identity as JSON in base64>]` or `Bearer <token>`; no header is a visitor. */
  async fromHeader(header: string | undefined): Promise<Caller> {
    if (header === undefined || header === "") return visitor;
    const space = header.indexOf(" ");
    const credential = header.slice(space + 1);
    switch (header.slice(0, space).toLowerCase()) {
      case "bearer":
        return (await this.user(credential)).caller;
      case "convex": {
        const [key = "", identity] = credential.split(":", 2);
        const caller = this.admin(key, null);
        return identity === undefined ? caller : { ...caller, identity: parseActingAs(identity) };
      }
      default:
        throw refusedHeader();
    }
  }
}

function parseActingAs(encoded: string): Identity {
  const text = Buffer.from(encoded, "base64").toString("utf8");
  try {
    const identity: unknown = JSON.parse(text);
    if (typeof identity === "object" && identity !== null && !Array.isArray(identity))
      return { ...identity };
  } catch (cause) {
    throw new AuthRefused(
      "InvalidIdentity",
      `The identity to act as is not JSON: ${String(cause)}`,
    );
  }
  throw new AuthRefused("InvalidIdentity", "The identity to act as must be a JSON object.");
}
