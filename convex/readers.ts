/**
 * Owns: the one way in which a door of the statistics is made: it takes a site and a token, and looks whether they may
 * read before it does anything. A public query of the statistics is made with these and with nothing else. And the
 * same door for operators, who always may.
 * Not: the rule (model/access.ts), or any door.
 */
import { v } from "convex/values";
import type { Infer, ObjectType, PropertyValidators, Validator } from "convex/values";
import type { RegisteredMutation, RegisteredQuery } from "convex/server";
import { internalQuery, mutation, query } from "./_generated/server.js";
import type { MutationCtx, QueryCtx } from "./_generated/server.js";
import { assertMayRead } from "./model/access.ts";

const asked = { site: v.optional(v.string()) };
const asking = { ...asked, token: v.optional(v.string()) };

type Asked = { site?: string };
type Asking = Asked & { token?: string };
export type Result = Validator<unknown, "required", string>;
/** Of what a door's validator lets out. */
type Returned<R extends Result> = Promise<Infer<R>>;

export type Door<Ctx, A extends PropertyValidators, R extends Result> = {
  /** Besides `site` and `token`, which every such door has. */
  args: A;
  returns: R;
  handler: (ctx: Ctx, args: ObjectType<A> & Asked) => Returned<R>;
};

/** What the handler does, once it is known that whoever asks may read. */
async function guarded<Ctx extends QueryCtx, A extends PropertyValidators, R extends Result>(
  handler: Door<Ctx, A, R>["handler"],
  ctx: Ctx,
  given: ObjectType<A> & Asking,
): Returned<R> {
  const { token, ...rest } = given;
  await assertMayRead(ctx, { site: rest.site, token });
  return await handler(ctx, rest as ObjectType<A> & Asked);
}

/** A query of the statistics. Throws `not_allowed` beside what its handler throws. */
export function readerQuery<A extends PropertyValidators, R extends Result>({
  args,
  returns,
  handler,
}: Door<QueryCtx, A, R>): RegisteredQuery<"public", ObjectType<A> & Asking, Returned<R>> {
  // The compiler cannot follow a validator that it does not know; the callers' types are those of this signature.
  const result: Result = returns;
  return query({
    args: { ...args, ...asking },
    returns: result,
    handler: (ctx, given) => guarded(handler, ctx, given as ObjectType<A> & Asking),
  });
}

/** The same for whoever has the deployment's key. */
export function operatorQuery<A extends PropertyValidators, R extends Result>({
  args,
  returns,
  handler,
}: Door<QueryCtx, A, R>): RegisteredQuery<"internal", ObjectType<A> & Asked, Returned<R>> {
  const result: Result = returns;
  return internalQuery({
    args: { ...args, ...asked },
    returns: result,
    handler: (ctx, given) => handler(ctx, given as ObjectType<A> & Asked),
  });
}

/** What a reader does besides asking: it watches, or settles. */
export function readerMutation<A extends PropertyValidators, R extends Result>({
  args,
  returns,
  handler,
}: Door<MutationCtx, A, R>): RegisteredMutation<"public", ObjectType<A> & Asking, Returned<R>> {
  // The compiler cannot follow a validator that it does not know; the callers' types are those of this signature.
  const result: Result = returns;
  return mutation({
    args: { ...args, ...asking },
    returns: result,
    handler: (ctx, given) => guarded(handler, ctx, given as ObjectType<A> & Asking),
  });
}
