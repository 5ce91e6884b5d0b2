/** Owns: functions that are deployed beside convex/ in tests only: direct access to rows. Not: any behaviour. */
import {
  internalMutationGeneric,
  internalQueryGeneric,
  makeFunctionReference,
} from "convex/server";
import { v } from "convex/values";
import type { GenericId } from "convex/values";

const scalar = v.union(
  ...[v.string(), v.number(), v.boolean()],
  ...[v.null(), v.int64(), v.bytes()],
);
const list = v.array(v.union(scalar, v.record(v.string(), scalar)));
const record = v.record(v.string(), v.union(scalar, v.array(scalar)));

/** Any row of any table: values that Convex stores, by field. */
const anyRow = v.record(v.string(), v.union(scalar, list, record));

/** The name under which this module is deployed. */
export const ROWS_MODULE = "conformanceRows";

export const read = internalQueryGeneric({
  args: { table: v.string() },
  handler: (ctx, { table }) => ctx.db.query(table).collect(),
});

export const insert = internalMutationGeneric({
  args: { table: v.string(), rows: v.array(anyRow) },
  returns: v.null(),
  handler: async (ctx, { table, rows }) => {
    for (const row of rows) await ctx.db.insert(table, row);
    return null;
  },
});

/** Rows with the commitTs of this transaction. */
export const insertLogged = internalMutationGeneric({
  args: { table: v.string(), rows: v.array(anyRow) },
  returns: v.null(),
  handler: async (ctx, { table, rows }) => {
    const { commitTs } = ctx.db.vars;
    for (const row of rows) await ctx.db.insert(table, { ...row, commitTs });
    return null;
  },
});

export const remove = internalMutationGeneric({
  args: { ids: v.array(v.string()) },
  returns: v.null(),
  handler: async (ctx, { ids }) => {
    for (const id of ids) await ctx.db.delete(id as GenericId<string>);
    return null;
  },
});

export const jobs = internalQueryGeneric({
  args: {},
  handler: async (ctx) => {
    const rows = await ctx.db.system.query("_scheduled_functions").collect();
    return rows.map(({ name, state, args }) => {
      return { name, state: state.kind, args: JSON.stringify(args) };
    });
  },
});

/** Cancels whatever is scheduled and has not begun. */
export const dropScheduled = internalMutationGeneric({
  args: {},
  returns: v.null(),
  handler: async (ctx) => {
    for (const job of await ctx.db.system.query("_scheduled_functions").collect()) {
      if (job.state.kind === "pending") await ctx.scheduler.cancel(job._id);
    }
    return null;
  },
});

export const readRows = makeFunctionReference<"query", { table: string }>(`${ROWS_MODULE}:read`);
export const insertLoggedRows = makeFunctionReference<
  "mutation",
  { table: string; rows: Record<string, unknown>[] }
>(`${ROWS_MODULE}:insertLogged`);
export const removeRows = makeFunctionReference<"mutation", { ids: string[] }>(
  `${ROWS_MODULE}:remove`,
);
export const readJobs = makeFunctionReference<
  "query",
  Record<string, never>,
  { name: string; state: string; args: string }[]
>(`${ROWS_MODULE}:jobs`);
export const insertRows = makeFunctionReference<
  "mutation",
  { table: string; rows: Record<string, unknown>[] }
>(`${ROWS_MODULE}:insert`);
export const dropScheduledJobs = makeFunctionReference<"mutation", Record<string, never>>(
  `${ROWS_MODULE}:dropScheduled`,
);
