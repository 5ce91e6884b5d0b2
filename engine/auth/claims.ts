/** Owns: how a token's claims are called in `ctx.auth.getUserIdentity()`. Not: whether they are true (user-tokens.ts). */
import type { JWTPayload } from "jose";
import type { Identity } from "../application.ts";

/** OpenID Connect's standard claims → UserIdentity. */
const STANDARD: Readonly<Record<string, string>> = {
  name: "name",
  given_name: "givenName",
  family_name: "familyName",
  nickname: "nickname",
  preferred_username: "preferredUsername",
  profile: "profileUrl",
  picture: "pictureUrl",
  website: "websiteUrl",
  email: "email",
  email_verified: "emailVerified",
  gender: "gender",
  birthdate: "birthday",
  zoneinfo: "timezone",
  locale: "language",
  phone_number: "phoneNumber",
  phone_number_verified: "phoneNumberVerified",
  address: "address",
  updated_at: "updatedAt",
};
/** About the token, not about the user. */
const OF_THE_TOKEN: ReadonlySet<string> = new Set([
  "iss",
  "sub",
  "aud",
  "exp",
  "iat",
  "nbf",
  "jti",
]);

export function identityOf(claims: JWTPayload, kind: "oidc" | "customJwt"): Identity {
  const issuer = claims.iss ?? "";
  const subject = claims.sub ?? "";
  const identity: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(claims)) {
    if (OF_THE_TOKEN.has(name)) continue;
    const standard = STANDARD[name];
    if (standard !== undefined) identity[standard] = standardValue(name, value);
    else if (kind === "customJwt") flatten(identity, name, value);
    else identity[name] = value;
  }
  return { ...identity, tokenIdentifier: `${issuer}|${subject}`, issuer, subject };
}

function standardValue(name: string, value: unknown): unknown {
  if (name === "updated_at") return String(value);
  const isFormatted = typeof value === "object" && value !== null && "formatted" in value;
  return name === "address" && isFormatted ? value.formatted : value;
}

/** On Convex `{properties: {id: 1}}` of a custom JWT is read as `identity["properties.id"]`. */
function flatten(identity: Record<string, unknown>, name: string, value: unknown): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    identity[name] = value;
    return;
  }
  for (const [inner, innerValue] of Object.entries(value))
    flatten(identity, `${name}.${inner}`, innerValue);
}
