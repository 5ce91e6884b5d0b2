import { defineComponent } from "convex/server";
import drawer from "./drawer/convex.config";

const shelf = defineComponent("shelf");
shelf.use(drawer);
export default shelf;
