/**
 * Owns: the original design's recordPageView with all that its published source calls for each view: the rate limiter
 * as the component that it is, and the aggregate of paths whose total counts documents.
 * Not: the rest of it (functions.ts). The design's figures of cost leave both out, so those are of functions.ts.
 */
import { TableAggregate } from "@convex-dev/aggregate";
import type { ComponentApi as Aggregate } from "@convex-dev/aggregate/_generated/component.js";
import { MINUTE, RateLimiter } from "@convex-dev/rate-limiter";
import type { ComponentApi as Limiter } from "@convex-dev/rate-limiter/_generated/component.js";
import { componentsGeneric } from "convex/server";
import { recordedWith } from "./functions.ts";
import type { DataModel } from "./functions.ts";

const mounted: { uniquePaths: Aggregate; rateLimiter: Limiter } = componentsGeneric() as never;

const rateLimiter = new RateLimiter(mounted.rateLimiter, {
  pageView: { kind: "token bucket", rate: 30, period: MINUTE, capacity: 10 },
});

const uniquePaths = new TableAggregate<{
  Key: string;
  DataModel: DataModel;
  TableName: "pageViews";
}>(mounted.uniquePaths, { sortKey: ({ path }) => path });

export const recordPageView = recordedWith({
  takeToken: async (ctx, _name, key) => (await rateLimiter.limit(ctx, "pageView", { key })).ok,
  countAlso: (ctx, view) => uniquePaths.insertIfDoesNotExist(ctx, view),
});
