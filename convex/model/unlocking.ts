/**
 * Owns: getting a token that reads for a token that wants a password, and that password.
 * Not: who may read (access.ts), or how a password is kept (passwords.ts).
 *
 * The password is looked at once: what it opens is another token, which is checked as fast as any, and ends by itself.
 */
import { DAY_MS } from "../../domain/calendar/civil.ts";
import { internal } from "../_generated/api.js";
import type { ActionCtx, MutationCtx, QueryCtx } from "../_generated/server.js";
import { callerError } from "../errors.ts";
import { findToken, KEY_ID_BYTES, KEY_SECRET_BYTES, tokenText } from "./keys.ts";
import { mayTryPassword } from "./limits.ts";
import { isPassword } from "./passwords.ts";
import { hashOf, randomHex } from "./secrets.ts";

/** A day's work; then the password is asked for again. */
const UNLOCKED_FOR_MS = DAY_MS;

/** Of one token: as many browsers at once. The one that would end first makes room. */
const MAX_UNLOCKED = 200;

/** Characters of a password that is tried; longer ones are none. */
const MAX_PASSWORD_LENGTH = 256;

export type Lock = { keyId: string; password: string };

/** Throws `not_allowed`, also where the token wants no password, or `too_many_tries`. */
export async function unlock(
  ctx: ActionCtx,
  args: { token: string; password: string },
): Promise<{ token: string; expiresAt: number }> {
  const lock: Lock | null = await ctx.runQuery(internal.tokens.lockOf, { token: args.token });
  if (lock !== null) await ctx.runMutation(internal.tokens.countTry, { keyId: lock.keyId });
  const isRight =
    lock !== null &&
    args.password.length <= MAX_PASSWORD_LENGTH &&
    (await isPassword(args.password, lock.password));
  if (!isRight) throw callerError("not_allowed", "That is not the password of this link.");
  const keyId = randomHex(KEY_ID_BYTES);
  const secret = randomHex(KEY_SECRET_BYTES);
  const got = { gotFor: lock.keyId, keyId, secretHash: await hashOf(secret) };
  const expiresAt: number = await ctx.runMutation(internal.tokens.keepUnlocked, got);
  return { token: tokenText(keyId, secret), expiresAt };
}

/** Of a token that is right and not over, and wants a password. */
export async function lockOf(ctx: QueryCtx, args: { token: string }): Promise<Lock | null> {
  const row = await findToken(ctx, args.token);
  return row?.password === undefined ? null : { keyId: row.keyId, password: row.password };
}

export async function countTry(ctx: MutationCtx, args: { keyId: string }): Promise<null> {
  if (await mayTryPassword(ctx, args.keyId)) return null;
  throw callerError(
    "too_many_tries",
    "Too many passwords were tried for this link. Wait a minute, then try again.",
  );
}

/** Until when it reads: for a day, or as long as the token that it was got for. Throws `not_allowed` where that is gone meanwhile. */
export async function keepUnlocked(
  ctx: MutationCtx,
  { gotFor, keyId, secretHash }: { gotFor: string; keyId: string; secretHash: string },
): Promise<number> {
  const now = Date.now();
  const parent = await ctx.db
    .query("apiKeys")
    .withIndex("by_keyId", (q) => q.eq("keyId", gotFor))
    .first();
  if (parent === null) throw callerError("not_allowed", "This link was revoked.");
  const others = await ctx.db
    .query("unlockedTokens")
    .withIndex("by_gotFor", (q) => q.eq("gotFor", gotFor))
    .take(MAX_UNLOCKED);
  const isOver = ({ expiresAt }: { expiresAt: number }) => expiresAt <= now;
  const over = others.filter(isOver);
  const [first] = others;
  const isFull = over.length === 0 && others.length === MAX_UNLOCKED && first !== undefined;
  for (const row of isFull ? [first] : over) await ctx.db.delete("unlockedTokens", row._id);
  const expiresAt = Math.min(now + UNLOCKED_FOR_MS, parent.expiresAt ?? Infinity);
  await ctx.db.insert("unlockedTokens", {
    ...{ site: parent.site, keyId, secretHash, gotFor, expiresAt },
  });
  return expiresAt;
}

/** With the token that they were got for. */
export async function forgetUnlocked(ctx: MutationCtx, gotFor: string): Promise<void> {
  const rows = await ctx.db
    .query("unlockedTokens")
    .withIndex("by_gotFor", (q) => q.eq("gotFor", gotFor))
    .take(2 * MAX_UNLOCKED);
  for (const row of rows) await ctx.db.delete("unlockedTokens", row._id);
}
