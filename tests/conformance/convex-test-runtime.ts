/// <reference types="vite/client" />
/** Owns: convex-test as a runtime: fake timers are its clock. Not: the engine (engine-runtime.ts). */
import { register } from "@convex-dev/aggregate/test";
import { register as registerLimiter } from "@convex-dev/rate-limiter/test";
import { convexTest } from "convex-test";
import { getFunctionName, makeFunctionReference } from "convex/server";
import type { FunctionReturnType } from "convex/server";
import { vi } from "vitest";
import schema from "../../convex/schema.ts";
import { record } from "./recorder.ts";
import {
  dropScheduledJobs,
  insertLoggedRows,
  insertRows,
  readJobs,
  readRows,
  removeRows,
  ROWS_MODULE,
} from "./rows.helpers.ts";
import { headersOf } from "./runtime.ts";
import type { CreateRuntime, Mutation, Query, Sender } from "./runtime.ts";

/** The components of convex.config.ts, each with tables of its own. */
const AGGREGATES = ["totalPageViews", "pageViewsByPath", "uniqueVisitors"];

/** Time moves in steps of this, so that a job that schedules another one soon finds its time; hours and days in longer ones. */
const STEP_MS = 250;
const MAX_STEPS = 1_000;

const modules = {
  ...import.meta.glob("../../convex/**/*.*s"),
  [`../../convex/${ROWS_MODULE}.ts`]: () => import("./rows.helpers.ts"),
};

/** Whatever else is called for its footprint writes. */
const READING = new Set([
  "stats:getStats",
  "stats:listPages",
  "stats:countViews",
  "reports:summary",
  "reports:timeseries",
  "reports:breakdown",
]);

type AnyFunction = Mutation | Query;
type Args = Record<string, unknown>;

/** Only what is a clock: other fakes would change what user code sees. */
const FAKED = ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval"] as const;

export const createConvexTestRuntime: CreateRuntime = async (startsAt) => {
  vi.useFakeTimers({ toFake: [...FAKED], now: startsAt });
  const silenced = (["log", "warn", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockReturnValue(undefined),
  );
  const t = convexTest(schema, modules);
  for (const name of AGGREGATES) register(t, name);
  registerLimiter(t);
  const read = async <F extends AnyFunction>(
    reference: F,
    args: object,
  ): Promise<FunctionReturnType<F>> => {
    const named = makeFunctionReference<"query", Args, unknown>(getFunctionName(reference));
    return await t.query(named, { ...args });
  };
  const mutate = async <F extends AnyFunction>(
    reference: F,
    args: object,
    { userAgent = null, ip = null }: Sender = {},
  ): Promise<FunctionReturnType<F>> => {
    const named = makeFunctionReference<"mutation", Args, unknown>(getFunctionName(reference));
    const asked = t.withRequestMetadata({ userAgent, ip });
    return await asked.mutation(named, { ...args });
  };
  const send = (path: string, init: RequestInit, request: Sender = {}): Promise<Response> => {
    const headers = headersOf(init);
    if (request.userAgent) headers.set("User-Agent", request.userAgent);
    const userAgent = headers.get("User-Agent");
    const asked = t.withRequestMetadata({ userAgent, ip: request.ip ?? null });
    return asked.fetch(path, { ...init, headers });
  };
  return {
    now: () => Date.now(),
    query: read,
    mutation: (reference, args, request) => mutate(reference, args, request),
    action: async (reference, args) => {
      const name = getFunctionName(reference);
      return await t.action(makeFunctionReference<"action", Args, unknown>(name), { ...args });
    },
    footprint: (reference, args, request) => {
      const isReading = READING.has(getFunctionName(reference));
      return record<unknown>(() =>
        isReading ? read(reference, args) : mutate(reference, args, request),
      );
    },
    post: (path, body, request) => send(path, { method: "POST", body }, request),
    fetch: (path, init, request) => send(path, init, request),
    logged: async (work) => {
      for (const spy of silenced) spy.mockClear();
      await work();
      return JSON.stringify(silenced.map((spy) => spy.mock.calls));
    },
    advance: async (ms) => {
      await t.finishInProgressScheduledFunctions();
      const stepMs = Math.max(STEP_MS, Math.ceil(ms / MAX_STEPS));
      for (let passed = 0; passed < ms; passed += stepMs) {
        vi.advanceTimersByTime(Math.min(stepMs, ms - passed));
        await t.finishInProgressScheduledFunctions();
      }
    },
    dropScheduled: async () => {
      await t.mutation(dropScheduledJobs, {});
    },
    scheduled: async () => await t.query(readJobs, {}),
    rows: (table) => read(readRows, { table }),
    insert: async (table, rows) => {
      await t.mutation(insertRows, { table, rows: [...rows] });
    },
    insertLogged: async (table, rows) => {
      await t.mutation(insertLoggedRows, { table, rows: [...rows] });
    },
    remove: async (_table, rows) => {
      await t.mutation(removeRows, { ids: rows.map(({ _id }) => _id) });
    },
    close: async () => {
      await t.finishInProgressScheduledFunctions();
      vi.clearAllTimers();
      vi.useRealTimers();
      for (const spy of silenced) spy.mockRestore();
    },
  };
};
