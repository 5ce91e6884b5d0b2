/**
 * Owns: what the list of Convex's own behaviours needs of a runtime that runs the app in app/, and how a behaviour says
 * where convex-test is known to differ from Convex.
 * Not: the behaviours.
 */
import type { Value } from "convex/values";

export type Args = Record<string, Value>;

/** Claims of a token; on Convex the identity's own fields have names of their own (`givenName`), others stay as they are. */
export type User = { readonly subject: string } & Record<string, Value>;

export interface Calls {
  query(path: string, args?: Args): Promise<Value>;
  mutation(path: string, args?: Args): Promise<Value>;
  action(path: string, args?: Args): Promise<Value>;
}

/** A subscription. After an awaited mutation of the same world it shows a state that holds it. */
export interface Watched {
  latest(): Promise<Value>;
}

export type Pages = { readonly items: readonly Value[]; readonly isDone: boolean };

/** A subscription to pages that follow each other, as `usePaginatedQuery` makes one. */
export interface WatchedPages {
  latest(): Promise<Pages>;
  loadMore(numItems: number): Promise<Pages>;
}

export interface World extends Calls {
  readonly runtime: "engine" | "convex-test";
  /** ConvexHttpClient instead of the websocket, somebody instead of nobody. convex-test has one way to call. */
  as(how: { readonly over?: "http"; readonly user?: User }): Promise<Calls>;
  fetch(path: string, init?: RequestInit, user?: User): Promise<Response>;
  watch(path: string, args?: Args): Promise<Watched>;
  watchPages(path: string, args: Args, initialNumItems: number): Promise<WatchedPages>;
  /** Waits for what comes by itself: jobs and crons. */
  until(path: string, args: Args, fits: (value: Value) => boolean): Promise<Value>;
  setVariable(name: string, value: string | null): Promise<void>;
  /** Removes all rows, jobs that wait, and variables. */
  clear(): Promise<void>;
}

export type CurrentWorld = () => World;

export type Failure = { readonly message: string; readonly data: Value | undefined };

export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const failure = await work.then(
    (value) => new Error(`It should have failed, and gave ${String(value)}.`),
    (error: unknown) => error,
  );
  if (!(failure instanceof Error)) throw new TypeError(`What was thrown is no Error.`);
  const data = "data" in failure ? (failure.data as Value) : undefined;
  return { message: failure.message, data };
}

/**
 * What Convex does, and what convex-test does instead, with the reason: the list then holds on both, and names each
 * place where a test against convex-test would teach something wrong.
 */
export function expectedOn<T>(
  { runtime }: World,
  expected: {
    readonly convex: T;
    readonly convexTest: T;
    /** Where convex-test differs, and how it is known what Convex does. */
    readonly because: string;
  },
): T {
  return runtime === "engine" ? expected.convex : expected.convexTest;
}

/** The same for what is done instead: only one of the two is begun. */
export function doneOn<T>(
  world: World,
  done: {
    readonly convex: () => Promise<T>;
    readonly convexTest: () => Promise<T>;
    readonly because: string;
  },
): Promise<T> {
  return expectedOn(world, done)();
}
