/** Owns: the components of the original design as published. Not: ours (convex/convex.config.ts). */
import aggregate from "@convex-dev/aggregate/convex.config.js";
import rateLimiter from "@convex-dev/rate-limiter/convex.config.js";
import { defineApp } from "convex/server";

const app = defineApp();
app.use(aggregate, { name: "totalPageViews" });
app.use(aggregate, { name: "pageViewsByPath" });
app.use(aggregate, { name: "uniqueVisitors" });
app.use(aggregate, { name: "uniquePaths" });
app.use(rateLimiter);

export default app;
