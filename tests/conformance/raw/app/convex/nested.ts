/** Owns: functions that call functions, of the app and of its components, and the ConvexErrors that cross each border. */
import {
  actionGeneric as action,
  anyApi,
  componentsGeneric,
  createFunctionHandle,
  internalActionGeneric as internalAction,
  internalMutationGeneric as internalMutation,
  internalQueryGeneric as internalQuery,
  mutationGeneric as mutation,
  queryGeneric as query,
} from "convex/server";
import { ConvexError, v } from "convex/values";

const api: any = anyApi;
const components: any = componentsGeneric();
const insert = (ctx: any, text: string) => ctx.db.insert("notes", { text });
const texts = async (ctx: any) => (await ctx.db.query("notes").collect()).map((n: any) => n.text);

/** What a failure carries, wherever it is caught. */
const carried = (error: unknown) =>
  error instanceof ConvexError
    ? { isConvexError: true, data: error.data }
    : { isConvexError: false, data: null };
const caught = async (work: Promise<unknown>) => {
  try {
    await work;
  } catch (error) {
    return carried(error);
  }
  return null;
};

/** Every type of value, in one error. */
const DATA = {
  text: "no",
  big: 9n,
  bytes: new Uint8Array([1, 2]).buffer,
  list: [null, -0.5],
  deep: { a: true },
};

export const all = query(async (ctx) => texts(ctx));
export const add = mutation(async (ctx, { text }) => {
  await insert(ctx, text);
  return text;
});
export const addThenFail = mutation(async (ctx, { text }) => {
  await insert(ctx, text);
  throw new ConvexError(DATA);
});
export const hiddenFail = internalMutation(async (ctx) => {
  await insert(ctx, "hidden");
  throw new ConvexError(DATA);
});
export const failingQuery = query(async () => {
  throw new ConvexError(DATA);
});
export const failingText = query(async () => {
  throw new ConvexError("only text");
});
export const hiddenFailingQuery = internalQuery(async () => {
  throw new ConvexError(DATA);
});
export const failingAction = action(async () => {
  throw new ConvexError(DATA);
});
export const hiddenFailingAction = internalAction(async () => {
  throw new ConvexError(DATA);
});
export const plainFailure = query(async () => {
  throw new Error("plain");
});

export const rollsBackChild = mutation(async (ctx) => {
  await insert(ctx, "before");
  const failure = await caught(ctx.runMutation(api.nested.addThenFail, { text: "lost" }));
  await insert(ctx, "after");
  return { failure, seen: await texts(ctx) };
});
export const middle = internalMutation(async (ctx) => {
  await insert(ctx, "middle");
  await caught(ctx.runMutation(api.nested.addThenFail, { text: "lost" }));
});
export const twoLevels = mutation(async (ctx) => {
  await insert(ctx, "kept");
  await ctx.runMutation(api.nested.middle, {});
  return texts(ctx);
});
export const failsAround = mutation(async (ctx) => {
  await ctx.runMutation(api.nested.add, { text: "child" });
  throw new Error("the parent");
});
export const parallel = mutation(async (ctx) => {
  const outcomes = await Promise.allSettled([
    ctx.runMutation(api.nested.add, { text: "1" }),
    ctx.runMutation(api.nested.addThenFail, { text: "2" }),
    ctx.runMutation(api.nested.add, { text: "3" }),
    ctx.runQuery(api.nested.all, {}),
  ]);
  return { outcomes: outcomes.map((each) => each.status), seen: (await texts(ctx)).sort() };
});
export const queryInQuery = query(async (ctx) => ({
  seen: await ctx.runQuery(api.nested.all, {}),
  failure: await caught(ctx.runQuery(api.nested.hiddenFailingQuery, {})),
}));
export const mutationInQuery = query(async (ctx) => {
  await (ctx as any).runMutation(api.nested.add, { text: "no" });
});
export const wrongKind = mutation(async (ctx) => {
  await ctx.runMutation(api.nested.all, {});
});
export const badArguments = mutation(async (ctx) => {
  await ctx.runMutation(api.nested.typed, { n: "text" });
});
export const typed = mutation({
  args: { n: v.number() },
  returns: v.number(),
  handler: async (_, { n }) => n,
});
/** Writes, and then returns what its validator refuses. */
export const badResult = mutation({
  args: {},
  returns: v.number(),
  handler: async (ctx): Promise<any> => {
    await insert(ctx, "of a bad result");
    return "text";
  },
});
/** The same as a child, caught. */
export const catchesBadResult = mutation(async (ctx) => {
  let isRefused = false;
  try {
    await ctx.runMutation(api.nested.badResult, {});
  } catch {
    isRefused = true;
  }
  return { isRefused, seen: await texts(ctx) };
});

/** The failures that cross each border, by the border's name. */
export const bordersOfMutation = mutation(async (ctx) => ({
  mutation: await caught(ctx.runMutation(api.nested.hiddenFail, {})),
  query: await caught(ctx.runQuery(api.nested.hiddenFailingQuery, {})),
  component: await caught(ctx.runMutation(components.shelf.books.addThenFail, { title: "t" })),
  componentQuery: await caught(ctx.runQuery(components.shelf.books.failing, {})),
  componentInside: await caught(
    ctx.runMutation(components.shelf.books.addInsideThenFail, { title: "t" }),
  ),
  titles: await ctx.runQuery(components.shelf.books.titles, {}),
}));
export const bordersOfAction = action(async (ctx) => ({
  mutation: await caught(ctx.runMutation(api.nested.hiddenFail, {})),
  query: await caught(ctx.runQuery(api.nested.hiddenFailingQuery, {})),
  action: await caught(ctx.runAction(api.nested.hiddenFailingAction, {})),
  component: await caught(ctx.runMutation(components.shelf.books.addThenFail, { title: "t" })),
  componentAction: await caught(ctx.runAction(components.shelf.books.acting, { title: "kept" })),
  componentInside: await caught(
    ctx.runMutation(components.shelf.books.addInsideThenFail, { title: "t" }),
  ),
  titles: await ctx.runQuery(components.shelf.books.titles, {}),
}));

export const shelve = mutation(async (ctx, { title }) => {
  await ctx.runMutation(components.shelf.books.add, { title });
});
export const shelveAndCatch = mutation((ctx, { title }) =>
  ctx.runMutation(components.shelf.books.addAndCatch, { title }),
);
export const shelveThenFail = mutation(async (ctx, { title }) => {
  await ctx.runMutation(components.shelf.books.add, { title });
  throw new ConvexError("after the component");
});
export const shelveLater = mutation(async (ctx, { title }) => {
  await ctx.runMutation(components.shelf.books.later, { title });
});
export const ticks = query((ctx) => ctx.runQuery(components.shelf.ticks.count, {}));
export const titles = query((ctx) => ctx.runQuery(components.shelf.books.titles, {}));
export const noSuchInComponent = query((ctx) => ctx.runQuery(components.shelf.books.nothing, {}));
export const pagedInComponent = query((ctx) => ctx.runQuery(components.shelf.books.paged, {}));
export const surroundings = mutation(async (ctx) => ({
  app: {
    identity: (await ctx.auth.getUserIdentity())?.subject ?? null,
    variable: process.env.TEST_NAME ?? null,
  },
  component: await ctx.runMutation(components.shelf.books.surroundings, {}),
}));

/** Handles: of the app's own function, handed to a component; of a component's function, called by the app. */
export const handedOver = mutation(async (ctx) => {
  const handle = await createFunctionHandle(api.nested.add);
  const returned = await ctx.runMutation(components.shelf.books.callBack, { handle, text: "back" });
  return { handle, returned };
});
export const handleOfFailing = mutation(async (ctx) => {
  const handle = await createFunctionHandle(api.nested.addThenFail);
  return caught(ctx.runMutation(components.shelf.books.callBack, { handle, text: "back" }));
});
export const ofComponent = mutation(async (ctx) => {
  const direct: any = await createFunctionHandle(components.shelf.books.add);
  const told: any = await ctx.runMutation(components.shelf.books.ownHandle, {});
  await ctx.runMutation(direct, { title: "by handle" });
  await ctx.scheduler.runAfter(0, told, { title: "scheduled by handle" });
  return [direct, told];
});
export const handleInAction = action(async (ctx) => {
  const handle = await createFunctionHandle(api.nested.add);
  return ctx.runMutation(handle as any, { text: "from an action" });
});
