/** Owns: the doors of the tokens with which a site's statistics are read. Not: the rules (model/keys.ts), or asking for one (readers.ts). */
import { v } from "convex/values";
import { internalAction, internalMutation, internalQuery } from "./_generated/server.js";
import * as keys from "./model/keys.ts";

const site = v.optional(v.string());

/** A new token. It is shown this once; what is kept cannot be turned back into it. Throws `unknown_site` or `invalid_key`. */
export const create = internalAction({
  args: { site, name: v.optional(v.string()) },
  returns: v.object({ id: v.string(), token: v.string() }),
  handler: async (ctx, args) => {
    const { id, key } = await keys.create(ctx, { ...args, kind: "read" });
    return { id, token: key };
  },
});

/** A site's tokens, without their secrets. Throws `unknown_site`. */
export const list = internalQuery({
  args: { site },
  returns: v.array(v.object({ id: v.string(), name: v.string(), createdAt: v.number() })),
  handler: (ctx, args) => keys.list(ctx, { ...args, kind: "read" }),
});

/** From now on the token opens nothing, also for pages that are open. Throws `unknown_site` or `invalid_key`. */
export const revoke = internalMutation({
  args: { site, id: v.string() },
  returns: v.null(),
  handler: (ctx, args) => keys.revoke(ctx, { ...args, kind: "read" }),
});
