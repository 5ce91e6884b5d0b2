import { anyApi, cronJobs } from "convex/server";

const crons = cronJobs();
crons.interval("beat", { seconds: 1 }, anyApi.beats.beat, { text: "beat" });
crons.cron("never in a test", "0 0 29 2 *", anyApi.beats.beat, { text: "leap day" });
export default crons;
