/**
 * Owns: secrets as text: made, hashed, compared.
 * Not: what each is for (keys.ts, salts.ts, tokens.ts, identity.ts).
 */

/** In actions alone: Convex has no randomness for queries and mutations that nobody could have foreseen. */
export function randomHex(bytes: number): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** SHA-256. */
export async function digestOf(text: string): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** SHA-256, in hex. */
export async function hashOf(text: string): Promise<string> {
  return hexOf(await digestOf(text));
}

/** Looks at every character, also past the first that differs. */
export function isSameHash(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) {
    difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  }
  return difference === 0;
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
