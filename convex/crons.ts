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
crons.interval("tend salts", { hours: 1 }, internal.salts.tend, {});
crons.daily("forget addresses", { hourUTC: 3, minuteUTC: 50 }, internal.worker.forgetAddresses, {});

// Often, because sites of all zones end their day here; it does nothing where no day is over.
crons.interval("seal days", { minutes: 15 }, internal.past.ensureChains, {});
crons.daily("retention", { hourUTC: 3, minuteUTC: 20 }, internal.past.startRetention, {});
crons.daily("prove yesterday", { hourUTC: 3, minuteUTC: 40 }, internal.past.verifyYesterday, {});

export default crons;
