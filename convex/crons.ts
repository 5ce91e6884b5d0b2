/** Owns: the recurring work, as one table: what, how often, which function. Not: what the functions do. */
import { cronJobs } from "convex/server";
import { internal } from "./_generated/api.js";

const crons = cronJobs();

crons.interval("cleanup stale sessions", { minutes: 5 }, internal.stats.cleanupStaleSessions, {});
crons.interval("wake overdue workers", { minutes: 5 }, internal.worker.wakeOverdue, {});
crons.daily(
  "prune filtered hits",
  { hourUTC: 3, minuteUTC: 10 },
  internal.worker.pruneFilteredHits,
  {},
);

export default crons;
