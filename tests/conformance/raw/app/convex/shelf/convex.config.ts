import { defineComponent } from "convex/server";
import { v } from "convex/values";
import drawer from "./drawer/convex.config";

const shelf = defineComponent("shelf", {
  env: { GREETING: v.optional(v.string()), OF_APP: v.optional(v.string()) },
});
shelf.use(drawer, { env: { DEEP: shelf.env.OF_APP } });
export default shelf;
