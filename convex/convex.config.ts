/**
 * Owns: which components are in use: one aggregate for each figure that is asked for over any range of days, and the rate
 * limiter.
 * Not: what is put into them (model/past/aggregates.ts, model/limits.ts).
 */
import aggregate from "@convex-dev/aggregate/convex.config.js";
import rateLimiter from "@convex-dev/rate-limiter/convex.config.js";
import { defineApp } from "convex/server";

const app = defineApp();
app.use(aggregate, { name: "totalPageViews" });
app.use(aggregate, { name: "pageViewsByPath" });
app.use(aggregate, { name: "uniqueVisitors" });
app.use(rateLimiter);

export default app;
