/** Owns: the embedded engine as a runtime: memory storage unless told otherwise, a clock that is moved by hand, no network. Not: convex-test. */
import { randomBytes } from "node:crypto";
import { getFunctionName } from "convex/server";
import type { FunctionReturnType } from "convex/server";
import { convexToJson, jsonToConvex } from "convex/values";
import type { JSONValue, Value } from "convex/values";
import type {
  Application,
  Caller,
  FunctionFailure,
  FunctionLog,
} from "../../engine/application.ts";
import { Catalog } from "../../engine/catalog/catalog.ts";
import { documentsOf, rowsOf } from "../../engine/catalog/tables.ts";
import { manualClock } from "../../engine/clock.helpers.ts";
import { callLines } from "../../engine/logs/call-lines.ts";
import { openApplication } from "../../engine/open-application.ts";
import { JobRunner } from "../../engine/scheduler/jobs.ts";
import { createMemoryStorage } from "../../engine/storage/memory.ts";
import type { Storage } from "../../engine/storage/storage.ts";
import { bundleConvexFolder } from "./bundle.ts";
import { EngineFootprint } from "./engine-footprint.ts";
import type { TableOfKey } from "./engine-footprint.ts";
import { advance } from "./manual-engine.ts";
import {
  dropScheduledJobs,
  insertLoggedRows,
  insertRows,
  readJobs,
  readRows,
  removeRows,
} from "./rows.helpers.ts";
import { headersOf } from "./runtime.ts";
import type { Action, CreateRuntime, Mutation, Query, Runtime, Sender } from "./runtime.ts";

/** It may call the functions that are deployed in tests only, which are internal. */
const ADMIN: Caller = { kind: "admin", identity: null };

export const createEngineRuntime: CreateRuntime = (startsAt) =>
  openEngineRuntime(startsAt, createMemoryStorage());

/** The same on a store of the caller's. */
export async function openEngineRuntime(startsAt: number, storage: Storage): Promise<Runtime> {
  const clock = manualClock(startsAt);
  const problems: unknown[] = [];
  const application = await openApplication({
    storage,
    clock,
    random: randomBytes,
    onInternalError: (error) => problems.push(error),
  });
  const staged = await application.deployments.stage(await bundleConvexFolder());
  await staged.activate();
  const jobs = new JobRunner(application, clock, (_what, error) => problems.push(error));
  await jobs.start();
  const call = callerOf(application);
  return {
    now: () => clock.now(),
    query: (reference, args) => call("query", reference, args),
    mutation: (reference, args, request) => call("mutation", reference, args, request),
    action: (reference, args) => call("action", reference, args),
    footprint: async (reference, args, request) => {
      const log = await logOf(application, () => callEither(application, reference, args, request));
      return new EngineFootprint(log.footprint, tableOfKeys(new Catalog(storage)));
    },
    post: (path, body, { userAgent, ip } = {}) => {
      const headers: HeadersInit = userAgent ? [["User-Agent", userAgent]] : [];
      return fetchFrom(application, path, { method: "POST", body, headers }, ip);
    },
    logged: async (work) => {
      const lines: string[] = [];
      const stop = application.onFunctionLog((log) => lines.push(...callLines(log)));
      await work();
      stop();
      return lines.join("\n");
    },
    fetch: (path, init, request) => fetchFrom(application, path, init, request?.ip),
    advance: (ms) => advance(application, clock, ms),
    dropScheduled: async () => {
      await call("mutation", dropScheduledJobs, {});
    },
    scheduled: () => call("query", readJobs, {}),
    rows: (table) => call("query", readRows, { table }),
    insert: async (table, rows) => {
      await call("mutation", insertRows, { table, rows: [...rows] });
    },
    insertLogged: async (table, rows) => {
      await call("mutation", insertLoggedRows, { table, rows: [...rows] });
    },
    remove: async (_table, rows) => {
      await call("mutation", removeRows, { ids: rows.map(({ _id }) => _id) });
    },
    close: async () => {
      await jobs.stop();
      await application.close();
      if (problems.length > 0)
        throw new AggregateError(problems, "The engine had internal errors.");
    },
  };
}

async function fetchFrom(
  application: Application,
  path: string,
  init: RequestInit,
  ip: string | null = null,
): Promise<Response> {
  const headers = headersOf(init);
  const request = new Request(`http://stats.example${path}`, { ...init, headers });
  const userAgent = request.headers.get("User-Agent");
  const response = await application.httpAction(request, newRequest({ userAgent, ip }));
  if (response === null) throw new Error(`http.ts has no route for ${request.method} ${path}.`);
  return response;
}

function newRequest({ userAgent = null, ip = null }: Sender = {}) {
  return { requestId: randomBytes(8).toString("hex"), ip, userAgent };
}

function callerOf(application: Application) {
  return async <F extends Action | Mutation | Query>(
    kind: "action" | "query" | "mutation",
    reference: F,
    args: object,
    request?: Sender,
  ): Promise<FunctionReturnType<F>> => {
    const target = { componentPath: "", path: getFunctionName(reference) };
    const options = { caller: ADMIN, request: newRequest(request) };
    const argsJson = JSON.stringify(convexToJson({ ...args }));
    const result = await application[kind](target, argsJson, options);
    return valueOf(result);
  };
}

async function callEither(
  application: Application,
  reference: Mutation | Query,
  args: object,
  request?: Sender,
): Promise<void> {
  const target = { componentPath: "", path: getFunctionName(reference) };
  const kind = application.functionKind(target, ADMIN) === "query" ? "query" : "mutation";
  await callerOf(application)(kind, reference, args, request);
}

/** What the engine tells of the one call that `work` makes. */
async function logOf(application: Application, work: () => Promise<void>): Promise<FunctionLog> {
  const logs: FunctionLog[] = [];
  const stop = application.onFunctionLog((log) => logs.push(log));
  await work();
  stop();
  const [log] = logs;
  if (log === undefined) throw new Error("The engine told of no call.");
  return log;
}

function tableOfKeys(catalog: Catalog): TableOfKey {
  const prefixes = catalog
    .all()
    .flatMap((table) => [
      { prefix: documentsOf(table), name: table.name },
      ...table.indexes.map((index) => ({ prefix: rowsOf(index), name: table.name })),
    ]);
  return (key) => prefixes.find(({ prefix }) => key.startsWith(prefix))?.name ?? null;
}

function valueOf(result: { ok: true; value: string } | FunctionFailure): Value {
  if (result.ok) return jsonToConvex(JSON.parse(result.value) as JSONValue);
  const data =
    result.data === null ? undefined : jsonToConvex(JSON.parse(result.data) as JSONValue);
  throw Object.assign(new Error(result.message), { data });
}
