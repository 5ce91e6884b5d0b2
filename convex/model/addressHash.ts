/**
 * Owns: what stands for an address: a hash with the secret salt of the day, so that two requests of one day can be told
 * to be of one address, and nothing of two days can be compared, or an address found again once the salt is gone.
 * Not: the salts (salts.ts), or what is limited by it (limits.ts).
 */
import type { MutationCtx } from "../_generated/server.js";
import { readSalts, requestSalts } from "./salts.ts";
import { digestOf, hexOf } from "./secrets.ts";

/** Of the hash: 128 bits, far more than addresses that come in a day could collide in. */
const HASH_BYTES = 16;

/** Apart from the lists that visitors' ids are made of (identity.ts). */
const PURPOSE = "limit";

/** Of the UTC day of `now`; null while that has no salt, which is then asked for. */
export async function hashOfAddress(
  ctx: MutationCtx,
  address: string,
  now: number,
): Promise<string | null> {
  const { today } = await readSalts(ctx, now);
  if (today === null) {
    await requestSalts(ctx);
    return null;
  }
  const digest = await digestOf(JSON.stringify([PURPOSE, today, networkOf(address)]));
  return hexOf(digest.slice(0, HASH_BYTES));
}

/** A household or a server has a whole /64 of IPv6, and may send from any address in it. */
function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail = ""] = address.toLowerCase().split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === "" ? [] : tail.split(":");
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0");
  const groups = address.includes("::") ? [...first, ...zeros, ...last] : first;
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

/** Of this machine, of a network behind a router, of a link: no visitor on the Internet has one. */
const PRIVATE =
  /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|::1?$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:|::ffff:)/i;

export function isPublicAddress(address: string): boolean {
  return /[.:]/.test(address) && !PRIVATE.test(address);
}
