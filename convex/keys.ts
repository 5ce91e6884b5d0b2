/** Owns: the doors of the keys with which servers send hits. Not: the rules (model/keys.ts), or taking hits (model/received/events.ts). */
import { v } from "convex/values";
import { internalAction, internalMutation, internalQuery } from "./_generated/server.js";
import * as keys from "./model/keys.ts";

const keyOfSite = v.object({ id: v.string(), name: v.string(), createdAt: v.number() });

/** A new key. It is shown this once; what is kept cannot be turned back into it. Throws `unknown_site` or `invalid_key`. */
export const create = internalAction({
  args: { site: v.optional(v.string()), name: v.optional(v.string()) },
  returns: v.object({ id: v.string(), key: v.string() }),
  handler: (ctx, args) => keys.create(ctx, { ...args, kind: "send" }),
});

/** Of a key, or of a token (tokens.ts). */
export const store = internalMutation({
  args: {
    site: v.optional(v.string()),
    name: v.optional(v.string()),
    kind: v.union(v.literal("send"), v.literal("read")),
    keyId: v.string(),
    secretHash: v.string(),
    expiresAt: v.optional(v.number()),
    password: v.optional(v.string()),
    segment: v.optional(v.string()),
  },
  returns: v.null(),
  handler: (ctx, args) => keys.store(ctx, args),
});

/** A site's keys, without their secrets. Throws `unknown_site`. */
export const list = internalQuery({
  args: { site: v.optional(v.string()) },
  returns: v.array(keyOfSite),
  handler: (ctx, args) => keys.list(ctx, { ...args, kind: "send" }),
});

/** From now on the key opens nothing. Throws `unknown_site` or `invalid_key`. */
export const revoke = internalMutation({
  args: { site: v.optional(v.string()), id: v.string() },
  returns: v.null(),
  handler: (ctx, args) => keys.revoke(ctx, { ...args, kind: "send" }),
});

/** What a key that somebody sends is compared with. */
export const find = internalQuery({
  args: { keyId: v.string() },
  returns: v.union(v.object({ site: v.string(), secretHash: v.string() }), v.null()),
  handler: (ctx, args) => keys.find(ctx, args),
});
