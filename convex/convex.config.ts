/**
 * Owns: which components are in use: one aggregate for each figure that is asked for over any range of days.
 * Not: what is put into them (model/past/aggregates.ts).
 */
import aggregate from "@convex-dev/aggregate/convex.config.js";
import { defineApp } from "convex/server";

const app = defineApp();
app.use(aggregate, { name: "totalPageViews" });
app.use(aggregate, { name: "pageViewsByPath" });
app.use(aggregate, { name: "uniqueVisitors" });

export default app;
