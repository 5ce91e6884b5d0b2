import { defineApp } from "convex/server";
import shelf from "./shelf/convex.config";

const app = defineApp();
app.use(shelf);
export default app;
