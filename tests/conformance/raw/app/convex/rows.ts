/** Owns: ctx.db as it is, for tests that say themselves what to read and write. */
import { mutationGeneric as mutation, queryGeneric as query } from "convex/server";

/** `undefined` does not travel in arguments; a bound or a field that is missing is written so. */
const MISSING = "missing!";
const value = (given: any) => (given === MISSING ? undefined : given);
const fields = (given: any) =>
  Object.fromEntries(Object.entries(given).map(([name, each]) => [name, value(each)]));

export const insert = mutation(async (ctx, { table, docs }) => {
  const ids = [];
  for (const doc of docs) ids.push(await ctx.db.insert(table, fields(doc)));
  return ids;
});
export const patch = mutation(async (ctx, { id, table, doc }) => {
  if (table === undefined) await ctx.db.patch(id, fields(doc));
  else await ctx.db.patch(table, id, fields(doc));
});
export const replace = mutation(async (ctx, { id, table, doc }) => {
  if (table === undefined) await ctx.db.replace(id, fields(doc));
  else await ctx.db.replace(table, id, fields(doc));
});
export const remove = mutation(async (ctx, { id, table }) => {
  if (table === undefined) await ctx.db.delete(id);
  else await ctx.db.delete(table, id);
});
export const get = query((ctx, { id, table }) =>
  table === undefined ? ctx.db.get(id) : ctx.db.get(table, id),
);
export const normalized = query(async (ctx, { table, id }) => ctx.db.normalizeId(table, id));

/** Several writes in one transaction, and what it sees of them itself. */
export const rewrite = mutation(async (ctx, { id, docs }) => {
  const seen = [];
  for (const doc of docs) {
    await ctx.db.patch(id, fields(doc));
    seen.push(await ctx.db.get(id));
  }
  return seen;
});

function open(ctx: any, { table = "things", index, range = [], order, filter }: any) {
  const begun = ctx.db.query(table);
  const narrowed =
    index === undefined
      ? begun
      : begun.withIndex(index, (q: any) =>
          range.reduce((so: any, [op, field, bound]: any) => so[op](field, value(bound)), q),
        );
  const ordered = order === undefined ? narrowed : narrowed.order(order);
  if (filter === undefined) return ordered;
  return ordered.filter((q: any) => expression(q, filter));
}

function expression(q: any, given: any): any {
  if (!Array.isArray(given)) return value(given);
  const [operator, ...operands] = given;
  if (operator === "field") return q.field(operands[0]);
  return q[operator](...operands.map((each: any) => expression(q, each)));
}

const named = (docs: any[]) => docs.map((doc) => doc.name);

export const list = query(async (ctx, asked) => named(await open(ctx, asked).collect()));
/** Many ranges at once: a call each would be slow over a network. */
export const lists = query(async (ctx, { asked }) => {
  const found = [];
  for (const each of asked) found.push(named(await open(ctx, each).collect()));
  return found;
});
export const docs = query((ctx, asked) => open(ctx, asked).collect());
export const first = query(async (ctx, asked) => (await open(ctx, asked).first())?.name ?? null);
export const unique = query(async (ctx, asked) => (await open(ctx, asked).unique())?.name ?? null);
export const take = query(async (ctx, { n, ...asked }) => named(await open(ctx, asked).take(n)));
export const walked = query(async (ctx, { n, ...asked }) => {
  const seen = [];
  for await (const doc of open(ctx, asked)) {
    seen.push(doc.name);
    if (seen.length === n) break;
  }
  return seen;
});
/** Writes ahead of a cursor that is already open. */
export const openCursor = mutation(async (ctx) => {
  await ctx.db.insert("things", { name: "a" });
  const seen = [];
  for await (const doc of ctx.db.query("things")) {
    seen.push(doc.name);
    if (seen.length < 3) await ctx.db.insert("things", { name: `b${seen.length}` });
  }
  return seen;
});
export const page = query(async (ctx, { paginationOpts, ...asked }) => {
  const found = await open(ctx, asked).paginate(paginationOpts);
  return { ...found, page: named(found.page) };
});
export const twoPages = query(async (ctx) => {
  const options = { cursor: null, numItems: 1 };
  await ctx.db.query("things").paginate(options);
  await ctx.db.query("things").paginate(options);
});
export const system = query((ctx, { table }) => ctx.db.system.query(table).collect());
