/**
 * Owns: the doors behind the HTTP routes: the same rules as for clients, with what only a request's headers say, and
 * with the outcome as a value.
 * Not: reading a request (model/received/).
 */
import { v } from "convex/values";
import { internalMutation } from "./_generated/server.js";
import * as events from "./model/events/record.ts";
import { recordEngagement } from "./model/engagement/recording.ts";
import { engagementFields, engagementOutcome } from "./model/engagement/shapes.ts";
import * as presence from "./model/presence.ts";
import { beatFields, eventFields, leaveFields, viewFields, viewOutcome } from "./model/shapes.ts";
import * as views from "./model/views.ts";

/** What the headers of a request say of how it is sent. */
const sentBy = v.object({
  isPrefetch: v.optional(v.boolean()),
  isWithoutAgent: v.optional(v.boolean()),
});

const statedVisitor = v.object({
  userAgent: v.optional(v.string()),
  country: v.optional(v.string()),
  address: v.optional(v.string()),
});

/** A view, with the countries that the request's headers state; or with what a server that has the site's key says of its visitor. */
export const view = internalMutation({
  args: {
    ...viewFields,
    countries: v.optional(v.array(v.object({ header: v.string(), country: v.string() }))),
    sent: v.optional(sentBy),
    stated: v.optional(statedVisitor),
  },
  returns: viewOutcome,
  handler: (ctx, args) => views.recordPageView(ctx, args),
});

/** A custom event, or one of a server that has the site's key. */
export const event = internalMutation({
  args: { ...eventFields, sent: v.optional(sentBy), stated: v.optional(statedVisitor) },
  returns: viewOutcome,
  handler: (ctx, args) => events.recordEvent(ctx, args),
});

export const beat = internalMutation({
  args: { ...beatFields, sent: v.optional(sentBy) },
  returns: viewOutcome,
  handler: (ctx, args) => presence.heartbeat(ctx, args),
});

export const engagement = internalMutation({
  args: engagementFields,
  returns: engagementOutcome,
  handler: (ctx, args) => recordEngagement(ctx, args),
});

export const leave = internalMutation({
  args: leaveFields,
  returns: viewOutcome,
  handler: (ctx, args) => presence.leave(ctx, args),
});
