/**
 * Owns: a password as it is kept: a slow hash with a salt of its own, from which nobody gets it back in a lifetime.
 * Not: which tokens want one (unlocking.ts).
 */
import { hexOf, isSameHash, randomHex } from "./secrets.ts";

/** What OWASP asks of PBKDF2 with SHA-256: a fifth of a second for who has it, and for each guess of who has the hash. */
const ROUNDS = 600_000;
const PASSWORD_SALT_BYTES = 16;
const HASH_BITS = 256;

/** In actions alone: for its salt, and because it is slow. */
export async function keptPassword(password: string): Promise<string> {
  const salt = randomHex(PASSWORD_SALT_BYTES);
  return [ROUNDS, salt, await slowHashOf(password, { salt, rounds: ROUNDS })].join(".");
}

export async function isPassword(password: string, kept: string): Promise<boolean> {
  const [rounds = "", salt = "", hash = ""] = kept.split(".");
  return isSameHash(await slowHashOf(password, { salt, rounds: Number(rounds) }), hash);
}

async function slowHashOf(
  password: string,
  { salt, rounds }: { salt: string; rounds: number },
): Promise<string> {
  const bytes = new TextEncoder().encode(password.normalize("NFC"));
  const key = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveBits"]);
  const how = { name: "PBKDF2", hash: "SHA-256", salt: new TextEncoder().encode(salt) };
  const bits = await crypto.subtle.deriveBits({ ...how, iterations: rounds }, key, HASH_BITS);
  return hexOf(new Uint8Array(bits));
}
