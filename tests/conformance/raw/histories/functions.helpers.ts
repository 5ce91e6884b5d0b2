/**
 * Owns: the functions of a random history's app: they do what a list of operations says. Both runtimes run this file.
 * Not: what is done when (play.ts). Plain JavaScript on purpose, like app/: schemas differ from run to run.
 */
import { anyApi, mutationGeneric, queryGeneric } from "convex/server";
import type { FunctionReference, GenericMutationCtx, GenericQueryCtx } from "convex/server";
import { ConvexError } from "convex/values";
import type { GenericId, Value } from "convex/values";
import type { Bound, Fields, Operation, Read } from "./history.ts";
import type { AnyModel } from "./schema.helpers.ts";

const MISSING = "missing!";

type MutationCtx = GenericMutationCtx<AnyModel>;
type QueryCtx = GenericQueryCtx<AnyModel>;
type Apply = FunctionReference<"mutation", "public", { ops: Value; fails: boolean }, Value[]>;

const value = (given: Value | undefined): Value | undefined =>
  given === MISSING ? undefined : given;
const fields = (given: Fields): Record<string, Value | undefined> =>
  Object.fromEntries(Object.entries(given).map(([name, each]) => [name, value(each)]));

/** What both runtimes have alike: ids, times of creation and commits are their own. */
function told(row: Record<string, unknown>): Value {
  const { _id: _, _creationTime: __, at: ___, ...rest } = row;
  return rest as Value;
}

export const apply = mutationGeneric(
  async (ctx, { ops, fails }: { ops: Operation[]; fails: boolean }) => {
    const results: Value[] = [];
    for (const op of ops) results.push(await perform(ctx as MutationCtx, op));
    if (fails) throw new ConvexError({ code: "asked for", done: results.length });
    return results;
  },
);

async function perform(ctx: MutationCtx, op: Operation): Promise<Value> {
  switch (op.kind) {
    case "insert":
      await ctx.db.insert(op.table, {
        ...fields(op.fields),
        n: op.n,
        at: ctx.db.vars.commitTs,
      });
      return null;
    case "read":
      return (await open(ctx, op.read).collect()).map(told);
    case "nested":
      return nested(ctx, op);
    case "patch":
    case "replace":
    case "remove":
    case "touch":
      return change(ctx, op);
  }
}

type Change = Exclude<Operation, { kind: "insert" | "read" | "nested" }>;

async function change(ctx: MutationCtx, op: Change): Promise<Value> {
  const row = await ctx.db
    .query(op.table)
    .withIndex("by_n", (q) => q.eq("n", op.n))
    .unique();
  if (row === null) return "not there";
  const id = row["_id"] as GenericId<string>;
  const at = ctx.db.vars.commitTs;
  if (op.kind === "remove") await ctx.db.delete(id);
  else if (op.kind === "touch") await ctx.db.patch(id, { at });
  else if (op.kind === "patch") await ctx.db.patch(id, fields(op.fields));
  else await ctx.db.replace(id, { ...fields(op.fields), n: op.n, at });
  const after = await ctx.db.get(id);
  return after === null ? null : told(after);
}

async function nested(
  ctx: MutationCtx,
  op: Extract<Operation, { kind: "nested" }>,
): Promise<Value> {
  const reference = anyApi["ops"]?.["apply"] as Apply;
  const call = ctx.runMutation(reference, { ops: op.ops, fails: op.fails });
  if (!op.isCaught) return call;
  try {
    return await call;
  } catch (error) {
    return { caught: error instanceof ConvexError ? (error.data as Value) : null };
  }
}

function open(ctx: QueryCtx, { table, index, range, order }: Read) {
  const begun = ctx.db.query(table);
  if (index === null) return begun.order(order);
  return begun.withIndex(index, (q) => bounded(q, range)).order(order);
}

type Bounds = Record<Bound[0], (field: string, bound: Value | undefined) => Bounds>;

/** The builder's type allows each operator only where it may stand; a random range is made so that it does. */
function bounded<Q extends object>(q: Q, range: readonly Bound[]): Q {
  return range.reduce(
    (so: Bounds, [operator, field, bound]) => so[operator](field, value(bound)),
    q as Q & Bounds,
  ) as Bounds & Q;
}

export const read = queryGeneric(async (ctx, asked: Read) => {
  const query = open(ctx as QueryCtx, asked);
  return (asked.take === null ? await query.collect() : await query.take(asked.take)).map(told);
});

export const page = queryGeneric(
  async (
    ctx,
    { read: asked, ...options }: { read: Read; cursor: string | null; numItems: number },
  ) => {
    const found = await open(ctx as QueryCtx, asked).paginate(options);
    return {
      page: found.page.map(told),
      isDone: found.isDone,
      continueCursor: found.continueCursor,
    };
  },
);

export const later = mutationGeneric((ctx, { ops, delayMs }: { ops: Value; delayMs: number }) =>
  ctx.scheduler.runAfter(delayMs, anyApi["ops"]?.["apply"] as Apply, { ops, fails: false }),
);

export const cancel = mutationGeneric((ctx, { id }: { id: string }) =>
  ctx.scheduler.cancel(id as never),
);

export const jobs = queryGeneric(async (ctx, { ids }: { ids: string[] }) => {
  const states: string[] = [];
  for (const id of ids) {
    const job = await ctx.db.system.get(id as never);
    states.push((job as { state: { kind: string } } | null)?.state.kind ?? "gone");
  }
  return states;
});
