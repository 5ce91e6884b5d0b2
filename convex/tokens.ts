/** Owns: the doors of the tokens with which a site's statistics are read. Not: the rules (model/keys.ts), or asking for one (readers.ts). */
import { v } from "convex/values";
import { action, internalAction, internalMutation, internalQuery } from "./_generated/server.js";
import * as keys from "./model/keys.ts";
import { createToken, revokeToken } from "./model/tokens.ts";
import * as unlocking from "./model/unlocking.ts";

const site = v.optional(v.string());

/**
 * A new token. It is shown this once; what is kept cannot be turned back into it. With `days` it ends after as many;
 * with a `password` it opens nothing without (unlock); with the name of a `segment` it shows that alone, as it is kept
 * at the time, and ends with it. Throws `unknown_site` or `invalid_key`.
 */
export const create = internalAction({
  args: {
    site,
    name: v.optional(v.string()),
    days: v.optional(v.number()),
    password: v.optional(v.string()),
    segment: v.optional(v.string()),
  },
  returns: v.object({ id: v.string(), token: v.string() }),
  handler: async (ctx, args) => {
    const { id, key } = await createToken(ctx, args);
    return { id, token: key };
  },
});

/** A site's tokens, without their secrets. Throws `unknown_site`. */
export const list = internalQuery({
  args: { site },
  returns: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      createdAt: v.number(),
      /** Epoch ms; missing on one that does not end. */
      expiresAt: v.optional(v.number()),
      hasPassword: v.optional(v.boolean()),
      /** Missing on one that shows everything. */
      segment: v.optional(v.string()),
    }),
  ),
  handler: (ctx, args) => keys.list(ctx, { ...args, kind: "read" }),
});

/**
 * For a token that wants a password, and the password, one that reads for a day. Throws `not_allowed` or
 * `too_many_tries`.
 */
export const unlock = action({
  args: { token: v.string(), password: v.string() },
  returns: v.object({ token: v.string(), expiresAt: v.number() }),
  handler: (ctx, args) => unlocking.unlock(ctx, args),
});

/** Of a right token that wants one, the password as it is kept. */
export const lockOf = internalQuery({
  args: { token: v.string() },
  returns: v.union(v.object({ keyId: v.string(), password: v.string() }), v.null()),
  handler: (ctx, args) => unlocking.lockOf(ctx, args),
});

/** Throws `too_many_tries`. */
export const countTry = internalMutation({
  args: { keyId: v.string() },
  returns: v.null(),
  handler: (ctx, args) => unlocking.countTry(ctx, args),
});

/** Keeps what somebody got for a password, and says until when it reads. */
export const keepUnlocked = internalMutation({
  args: { gotFor: v.string(), keyId: v.string(), secretHash: v.string() },
  returns: v.number(),
  handler: (ctx, args) => unlocking.keepUnlocked(ctx, args),
});

/** From now on the token opens nothing, also for pages that are open. Throws `unknown_site` or `invalid_key`. */
export const revoke = internalMutation({
  args: { site, id: v.string() },
  returns: v.null(),
  handler: (ctx, args) => revokeToken(ctx, args),
});
