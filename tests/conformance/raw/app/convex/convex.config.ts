import { defineApp } from "convex/server";
import { v } from "convex/values";
import shelf from "./shelf/convex.config";

const app = defineApp({ env: { TEST_NAME: v.optional(v.string()) } });
app.use(shelf, { env: { GREETING: "hello", OF_APP: app.env.TEST_NAME } });
export default app;
