import { anyApi, cronJobs } from "convex/server";

const crons = cronJobs();
crons.interval("tick", { seconds: 1 }, anyApi.ticks.tick, {});
export default crons;
