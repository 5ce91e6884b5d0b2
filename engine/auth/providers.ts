/** Owns: the entries of auth.config.ts, checked. Not: using them (user-tokens.ts). */
import { AuthRefused } from "./auth-refused.ts";

export type Algorithm = "RS256" | "ES256";
export type Provider = {
  readonly kind: "oidc" | "customJwt";
  readonly issuer: string;
  /** What the token's audience must hold; null (custom JWT only) takes any. */
  readonly applicationId: string | null;
  /** Where the keys are; null: where the issuer's discovery document says. */
  readonly jwks: string | null;
  readonly algorithms: readonly Algorithm[];
};

export function parseProviders(entries: readonly unknown[]): Provider[] {
  return entries.map((entry, i) => {
    if (typeof entry !== "object" || entry === null) throw bad(i, "an object");
    const fields: Readonly<Record<string, unknown>> = { ...entry };
    return fields["type"] === "customJwt" ? customJwt(fields, i) : oidc(fields, i);
  });
}

function oidc(fields: Readonly<Record<string, unknown>>, i: number): Provider {
  const { domain, applicationID } = fields;
  if (typeof domain !== "string") throw bad(i, 'a "domain"');
  if (typeof applicationID !== "string") throw bad(i, 'an "applicationID"');
  const issuer = /^https?:\/\//.test(domain) ? domain : `https://${domain}`;
  return {
    kind: "oidc",
    issuer,
    applicationId: applicationID,
    jwks: null,
    algorithms: ["RS256", "ES256"],
  };
}

function customJwt(fields: Readonly<Record<string, unknown>>, i: number): Provider {
  const { issuer, jwks, algorithm, applicationID = null } = fields;
  if (typeof issuer !== "string") throw bad(i, 'an "issuer"');
  if (typeof jwks !== "string") throw bad(i, 'a "jwks" URL');
  if (algorithm !== "RS256" && algorithm !== "ES256")
    throw bad(i, 'the "algorithm" RS256 or ES256');
  if (applicationID !== null && typeof applicationID !== "string")
    throw bad(i, 'a string as "applicationID", or none');
  return { kind: "customJwt", issuer, applicationId: applicationID, jwks, algorithms: [algorithm] };
}

function bad(i: number, wanted: string): AuthRefused {
  return new AuthRefused(
    "InvalidAuthConfig",
    `Provider ${i + 1} of convex/auth.config.ts needs ${wanted}.`,
  );
}
