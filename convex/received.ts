/**
 * Owns: the doors behind the HTTP routes: the same rules as for clients, with what only a request's headers say, and
 * with the outcome as a value.
 * Not: reading a request (model/received/).
 */
import { v } from "convex/values";
import { internalMutation } from "./_generated/server.js";
import * as presence from "./model/presence.ts";
import { beatFields, leaveFields, viewFields, viewOutcome } from "./model/shapes.ts";
import * as views from "./model/views.ts";

/** A view, with the countries that the request's headers state; or with what a server that has the site's key says of its visitor. */
export const view = internalMutation({
  args: {
    ...viewFields,
    countries: v.optional(v.array(v.object({ header: v.string(), country: v.string() }))),
    sent: v.optional(
      v.object({
        isPrefetch: v.optional(v.boolean()),
        isWithoutAgent: v.optional(v.boolean()),
      }),
    ),
    stated: v.optional(
      v.object({ userAgent: v.optional(v.string()), country: v.optional(v.string()) }),
    ),
  },
  returns: viewOutcome,
  handler: (ctx, args) => views.recordPageView(ctx, args),
});

export const beat = internalMutation({
  args: beatFields,
  returns: viewOutcome,
  handler: (ctx, args) => presence.heartbeat(ctx, args),
});

export const leave = internalMutation({
  args: leaveFields,
  returns: viewOutcome,
  handler: (ctx, args) => presence.leave(ctx, args),
});
