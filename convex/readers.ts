/**
 * Owns: the one way in which a door of the statistics is made, and the one place that decides what it tells to whom.
 * A public function of the statistics is made with these and with nothing else: it takes a site and a token, and looks
 * what they may read before it does anything. What a link of one segment alone asks is answered under the segment's
 * filter, or not at all: a door that does not say how it answers such a link tells it nothing.
 * Not: what somebody may read (model/access.ts), or any door.
 */
import { v } from "convex/values";
import type { Infer, ObjectType, PropertyValidators, Validator } from "convex/values";
import type { RegisteredMutation, RegisteredQuery } from "convex/server";
import { joinedFilter } from "../domain/filters/filter.ts";
import type { Filter } from "../domain/filters/filter.ts";
import { MAX_FILTER_CONDITIONS } from "../domain/limits.ts";
import { internalMutation, internalQuery, mutation, query } from "./_generated/server.js";
import type { MutationCtx, QueryCtx } from "./_generated/server.js";
import { callerError } from "./errors.ts";
import { EVERYTHING, grantOf } from "./model/access.ts";
import type { Grant, SegmentGrant } from "./model/access.ts";
import { assertFilter } from "./model/filters/asking.ts";

const asked = { site: v.optional(v.string()) };
const asking = { ...asked, token: v.optional(v.string()) };

type Asked = { site?: string };
type Asking = Asked & { token?: string };
export type Result = Validator<unknown, "required", string>;
/** Of what a door's validator lets out. */
type Returned<R extends Result> = Promise<Infer<R>>;

/**
 * What a link of one segment alone gets: the answer under a filter that the segment's is a part of ("filtered": the
 * door has an argument `filter`, and everything that it tells is under it), what everybody gets, because it tells
 * nothing of any visit ("same"), or an answer of its own.
 */
type OfSegment<Ctx, A extends PropertyValidators, R extends Result> =
  | "filtered"
  | "same"
  | ((ctx: Ctx, args: ObjectType<A> & Asked, segment: SegmentGrant) => Returned<R>);

export type Door<Ctx, A extends PropertyValidators, R extends Result> = {
  /** Besides `site` and `token`, which every such door has. */
  readonly args: A;
  readonly returns: R;
  /** Throws `not_of_segment` beside what its handler throws. */
  readonly answer: (ctx: Ctx, args: ObjectType<A> & Asked, grant: Grant) => Returned<R>;
};

export function door<Ctx extends QueryCtx, A extends PropertyValidators, R extends Result>({
  args,
  returns,
  handler,
  ofSegment,
}: {
  args: A;
  returns: R;
  handler: (ctx: Ctx, args: ObjectType<A> & Asked) => Returned<R>;
  /** Missing: nothing. */
  ofSegment?: OfSegment<Ctx, A, R>;
}): Door<Ctx, A, R> {
  if (ofSegment === "filtered" && !("filter" in args)) {
    throw new Error("A door that answers under a filter has no argument of that name.");
  }
  const answer = async (ctx: Ctx, given: ObjectType<A> & Asked, grant: Grant) => {
    const { filter } = given as { filter?: Filter };
    if (filter !== undefined) assertFilter(filter, MAX_FILTER_CONDITIONS);
    if (grant.sees === "everything") return await handler(ctx, given);
    if (ofSegment === undefined) throw notOf(grant);
    if (ofSegment === "same") return await handler(ctx, given);
    if (ofSegment !== "filtered") return await ofSegment(ctx, given, grant);
    return await handler(ctx, { ...given, filter: joinedFilter(grant.filter, filter ?? []) });
  };
  return { args, returns, answer };
}

function notOf({ name }: SegmentGrant) {
  return callerError(
    "not_of_segment",
    `This link shows the segment "${name}" alone. What was asked for is told of the whole site only.`,
  );
}

/** Once it is known what whoever asks may read. */
async function guarded<Ctx extends QueryCtx, A extends PropertyValidators, R extends Result>(
  { answer }: Door<Ctx, A, R>,
  ctx: Ctx,
  given: ObjectType<A> & Asking,
): Returned<R> {
  const { token, ...rest } = given;
  const grant = await grantOf(ctx, { site: rest.site, token });
  return await answer(ctx, rest as ObjectType<A> & Asked, grant);
}

/** A query of the statistics. Throws `not_allowed` beside what its handler throws. */
export function readerQuery<A extends PropertyValidators, R extends Result>(
  of: Door<QueryCtx, A, R>,
): RegisteredQuery<"public", ObjectType<A> & Asking, Returned<R>> {
  // The compiler cannot follow a validator that it does not know; the callers' types are those of this signature.
  const result: Result = of.returns;
  return query({
    args: { ...of.args, ...asking },
    returns: result,
    handler: (ctx, given) => guarded(of, ctx, given as ObjectType<A> & Asking),
  });
}

/** The same for whoever has the deployment's key. */
export function operatorQuery<A extends PropertyValidators, R extends Result>(
  of: Door<QueryCtx, A, R>,
): RegisteredQuery<"internal", ObjectType<A> & Asked, Returned<R>> {
  const result: Result = of.returns;
  return internalQuery({
    args: { ...of.args, ...asked },
    returns: result,
    handler: (ctx, given) => of.answer(ctx, given as ObjectType<A> & Asked, EVERYTHING),
  });
}

/** What a reader does besides asking: it watches, or settles. */
export function readerMutation<A extends PropertyValidators, R extends Result>(
  of: Door<MutationCtx, A, R>,
): RegisteredMutation<"public", ObjectType<A> & Asking, Returned<R>> {
  // The compiler cannot follow a validator that it does not know; the callers' types are those of this signature.
  const result: Result = of.returns;
  return mutation({
    args: { ...of.args, ...asking },
    returns: result,
    handler: (ctx, given) => guarded(of, ctx, given as ObjectType<A> & Asking),
  });
}

/** The same for whoever has the deployment's key. */
export function operatorMutation<A extends PropertyValidators, R extends Result>(
  of: Door<MutationCtx, A, R>,
): RegisteredMutation<"internal", ObjectType<A> & Asked, Returned<R>> {
  const result: Result = of.returns;
  return internalMutation({
    args: { ...of.args, ...asked },
    returns: result,
    handler: (ctx, given) => of.answer(ctx, given as ObjectType<A> & Asked, EVERYTHING),
  });
}
