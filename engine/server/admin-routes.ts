/**
 * Owns: the routes that the official CLI uses with the admin key.
 * Not: checking the key (origin.ts does, before any of these runs), what each does (push/, logs/, system/).
 */
import type { Application } from "../application.ts";
import type { FunctionLogs } from "../logs/function-log.ts";
import { configHashes } from "../push/module-hashes.ts";
import type { Fields } from "../push/push-fields.ts";
import type { Pushes } from "../push/pushes.ts";
import { parseEnvironmentChanges } from "../system/environment-changes.ts";
import type { DeploymentUrls } from "../system/system-queries.ts";
import { parseJsonBody } from "./bodies.ts";
import { HttpProblem, json, notSupported, type Answer, type Incoming } from "./exchange.ts";
import type { Route } from "./routes.ts";

/** Unpacked source of a push. Convex takes 32 MiB of packed modules. */
const MAX_PUSH_BYTES = 128 * 1024 * 1024;
const MAX_ADMIN_BODY_BYTES = 1024 * 1024;

export type AdminContext = {
  readonly application: Application;
  readonly pushes: Pushes;
  readonly logs: FunctionLogs;
  readonly urls: DeploymentUrls;
  readonly convexVersion: string;
  readonly environment: () => Promise<Readonly<Record<string, string>>>;
};

/** A value for JSON, or a promise of one. */
type WithBody = (body: Fields) => unknown;

function post(path: string, maxBytes: number, answer: WithBody): Route {
  const handle = async (incoming: Incoming): Promise<Answer> =>
    json((await answer(parseJsonBody(await incoming.body(maxBytes)))) ?? null);
  return { method: "POST", path, access: "admin", handle };
}

function get(path: string, handle: (incoming: Incoming) => unknown): Route {
  return {
    method: "GET",
    path,
    access: "admin",
    handle: async (incoming) => json(await handle(incoming)),
  };
}

function notBuilt(method: "GET" | "POST", path: string, feature: string, wayOut: string): Route {
  const handle = () => {
    throw notSupported(feature, wayOut);
  };
  return { method, path, access: "admin", handle };
}

function pushRoutes({
  application,
  pushes,
  urls,
  convexVersion,
  environment,
}: AdminContext): Route[] {
  return [
    get("/api/v1/get_canonical_urls", () => ({
      convexCloudUrl: urls.cloudUrl,
      convexSiteUrl: urls.siteUrl,
    })),
    post("/api/get_config_hashes", MAX_ADMIN_BODY_BYTES, () =>
      configHashes(application.deployments.current(), convexVersion),
    ),
    // The CLI asks this only to warn of indexes on tables of 100,000 rows; no prediction means no warning.
    post("/api/deploy2/evaluate_schema", MAX_PUSH_BYTES, () => ({
      componentSchemaEvaluations: {},
      newComponentDefinitions: [],
    })),
    post("/api/deploy2/evaluate_push", MAX_PUSH_BYTES, (body) => pushes.evaluate(body)),
    post("/api/deploy2/start_push", MAX_PUSH_BYTES, async (body) =>
      pushes.start(body, await environment()),
    ),
    post("/api/deploy2/wait_for_schema", MAX_PUSH_BYTES, (body) => pushes.waitForSchema(body)),
    post("/api/deploy2/finish_push", MAX_PUSH_BYTES, (body) => pushes.finish(body)),
    post("/api/deploy2/report_push_completed", MAX_PUSH_BYTES, () => null),
  ];
}

function readCursor(incoming: Incoming): number {
  const cursor = Number(incoming.url.searchParams.get("cursor") ?? "0");
  if (Number.isFinite(cursor) && cursor >= 0) return cursor;
  throw new HttpProblem(
    400,
    "BadCursor",
    "The cursor must be the number that the last answer gave, or 0.",
  );
}

const MOVE_DATA = "Copy the data folder while the engine is stopped.";

export function adminRoutes(context: AdminContext): Route[] {
  const { application, logs, environment } = context;
  return [
    ...pushRoutes(context),
    get("/api/stream_function_logs", (incoming) => logs.after(readCursor(incoming))),
    get("/api/stream_udf_execution", (incoming) => logs.after(readCursor(incoming))),
    post("/api/update_environment_variables", MAX_ADMIN_BODY_BYTES, async (body) => {
      await application.setEnvironment(parseEnvironmentChanges(body));
      return {};
    }),
    get("/api/list_environment_variables", async () => ({
      environmentVariables: await environment(),
    })),
    get("/api/v1/list_environment_variables", async () => ({
      environmentVariables: await environment(),
    })),
    notBuilt(
      "POST",
      "/api/run_test_function",
      "npx convex run --inline-query",
      "Put the query into a file in convex/ and run it by name.",
    ),
    notBuilt("POST", "/api/export/request/zip", "npx convex export", MOVE_DATA),
    notBuilt("POST", "/api/perform_import", "npx convex import", MOVE_DATA),
    notBuilt("POST", "/api/import/start_upload", "npx convex import", MOVE_DATA),
  ];
}
