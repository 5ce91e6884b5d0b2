import { defineComponent } from "convex/server";
import { v } from "convex/values";

export default defineComponent("drawer", { env: { DEEP: v.optional(v.string()) } });
