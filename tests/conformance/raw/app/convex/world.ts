/** Owns: emptying everything between two tests. */
import { componentsGeneric, mutationGeneric as mutation } from "convex/server";
import schema from "./schema";

const components: any = componentsGeneric();

export const clear = mutation(async (ctx) => {
  for (const table of Object.keys(schema.tables))
    for (const row of await ctx.db.query(table).collect()) await ctx.db.delete(row._id);
  for (const job of await ctx.db.system.query("_scheduled_functions").collect())
    if (job.state.kind === "pending") await ctx.scheduler.cancel(job._id);
  for (const file of await ctx.db.system.query("_storage").collect())
    await ctx.storage.delete(file._id);
  await ctx.runMutation(components.shelf.books.clear, {});
});
