/**
 * Owns: what stands for an address: a hash with a secret salt of the day, so that two requests of one day can be told
 * to be of one address, and nothing of two days can be compared, or an address found again once the salt is gone.
 * Not: what is limited by it (limits.ts).
 */
import { DAY_MS } from "../../domain/calendar/civil.ts";
import type { MutationCtx } from "../_generated/server.js";

const SALT_BYTES = 32;

/** Characters of the hash: 128 bits, far more than addresses that come in a day could collide in. */
const HASH_LENGTH = 32;

/** Salts of the day before are of no use; this leaves room for clocks that differ. */
const KEEP_SALTS_MS = 2 * DAY_MS;

/** Of the UTC day of `now`. Writes once a day, for the first address of it. */
export async function hashOfAddress(
  ctx: MutationCtx,
  address: string,
  now: number,
): Promise<string> {
  const salt = await ensureSalt(ctx, Math.floor(now / DAY_MS) * DAY_MS);
  const bytes = new TextEncoder().encode(`${salt} ${networkOf(address)}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return hexOf(digest).slice(0, HASH_LENGTH);
}

/** A household or a server has a whole /64 of IPv6, and may send from any address in it. */
export function networkOf(address: string): string {
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

/** From the daily cron. */
export async function forgetSalts(ctx: MutationCtx, now: number): Promise<void> {
  const old = await ctx.db
    .query("salts")
    .withIndex("by_kind_day", (q) => q.eq("kind", "address").lt("startsAt", now - KEEP_SALTS_MS))
    .take(100);
  for (const { _id } of old) await ctx.db.delete("salts", _id);
}

async function ensureSalt(ctx: MutationCtx, startsAt: number): Promise<string> {
  const found = await ctx.db
    .query("salts")
    .withIndex("by_kind_day", (q) => q.eq("kind", "address").eq("startsAt", startsAt))
    .first();
  if (found !== null) return found.secret;
  const secret = hexOf(crypto.getRandomValues(new Uint8Array(SALT_BYTES)));
  await ctx.db.insert("salts", { kind: "address", startsAt, secret });
  return secret;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
