import { cronJobs } from "convex/server";
import { internal } from "./_generated/api";

const crons = cronJobs();
crons.interval("count a beat", { seconds: 1 }, internal.counters.addOne, { name: "beats" });
export default crons;
