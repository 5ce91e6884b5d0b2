/**
 * Owns: the faces of one application: its ports, and what each answers.
 * Not: where the application comes from (start.ts), what the faces do (http-api.ts, sync/, push/, …).
 */
import { join } from "node:path";
import { version as convexVersion } from "convex";
import type { Application, Caller } from "../application.ts";
import { Authenticator } from "../auth/authenticator.ts";
import { KeySets } from "../auth/key-sets.ts";
import { userTokens } from "../auth/user-tokens.ts";
import type { Clock } from "../clock.ts";
import { Exports } from "../export/exports.ts";
import { Imports } from "../export/imports.ts";
import { Uploads } from "../export/uploads.ts";
import { callLines } from "../logs/call-lines.ts";
import type { EngineLog } from "../logs/engine-log.ts";
import { FunctionLogs } from "../logs/function-log.ts";
import { SlowCalls } from "../logs/slow-calls.ts";
import { Pushes } from "../push/pushes.ts";
import { MutationLanes } from "../sync/mutation-lanes.ts";
import { registerSystemQueries, type DeploymentUrls } from "../system/system-queries.ts";
import { adminRoutes } from "./admin-routes.ts";
import { mayBeAdmin } from "./cors.ts";
import type { EngineOptions } from "./engine-options.ts";
import type { Incoming } from "./exchange.ts";
import { fileRoutes } from "./file-routes.ts";
import { Health } from "./health.ts";
import { runHttpAction } from "./http-actions.ts";
import { HttpApi } from "./http-api.ts";
import { HttpPort } from "./http.ts";
import { movingRoutes, type Moving } from "./moving-routes.ts";
import { httpActionOrigin, originOf } from "./origin.ts";
import { publicRoutes } from "./public-routes.ts";
import { newRequestId, requestMetadata } from "./request-metadata.ts";
import { routeTable, type Respond, type Route, type RouteTable } from "./routes.ts";
import { StaticSite } from "./static-site.ts";
import { SyncSockets } from "./websocket.ts";

export type ServeContext = {
  readonly application: Application;
  readonly adminKey: string;
  readonly clock: Clock;
  readonly log: EngineLog;
  readonly options: EngineOptions;
};

export type Served = DeploymentUrls & {
  /** On this machine, also when an app origin is configured. */
  readonly localUrl: string;
  /** The engine's own, without the app's HTTP actions and the site. */
  readonly routes: readonly Route[];
  /** Answers what has arrived, then closes every socket and port. The application stays open. */
  close(): Promise<void>;
};

/** Files that `npx convex import` sends lie here until they are imported. */
const UPLOAD_FOLDER = "uploads";

const admin: Caller = { kind: "admin", identity: null };

async function systemAnswer(application: Application, path: string): Promise<unknown> {
  const request = { requestId: newRequestId(), ip: null, userAgent: null };
  const target = { componentPath: "", path };
  const result = await application.query(target, "{}", { caller: admin, request });
  if (!result.ok) throw new Error(`${path} could not be asked: ${result.message}`);
  return JSON.parse(result.value) as unknown;
}

async function environmentOf(application: Application): Promise<Readonly<Record<string, string>>> {
  const path = "_system/cli/queryEnvironmentVariables:default";
  const variables = (await systemAnswer(application, path)) as { name: string; value: string }[];
  return Object.fromEntries(variables.map(({ name, value }) => [name, value]));
}

async function openMoving({ application, clock, log, options }: ServeContext): Promise<Moving> {
  const uploads = new Uploads(join(options.dataFolder, UPLOAD_FOLDER));
  const imports = new Imports(application, uploads, (what, error) => log.problem(what, error));
  await imports.failInterrupted();
  const mounted = async () => {
    if (application.deployments.current() === null) return [""];
    const components = await systemAnswer(application, "_system/frontend/components:list");
    return (components as { path: string }[]).map(({ path }) => path);
  };
  return { uploads, imports, exports: new Exports(application, clock, mounted) };
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

function urlAt(host: string, port: number): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

function followCalls(context: ServeContext, logs: FunctionLogs): () => void {
  const slowCalls = new SlowCalls(context.options.slowMs);
  return context.application.onFunctionLog((call) => {
    logs.add(call);
    const warning = slowCalls.warningOf(call);
    if (warning !== null) context.log.note(warning);
    if (!context.options.logCalls) return;
    for (const line of callLines(call)) context.log.note(line);
  });
}

function fromAllowedOrigin({ options }: ServeContext): (incoming: Incoming) => boolean {
  return ({ headers }) => mayBeAdmin(headers, options.appOrigin);
}

function engineRoutes(
  context: ServeContext,
  authenticator: Authenticator,
  logs: FunctionLogs,
  urls: DeploymentUrls,
  moving: Moving,
): RouteTable {
  const { application, options } = context;
  const { disclosure } = options;
  const isAllowed = fromAllowedOrigin(context);
  const api = new HttpApi({ application, authenticator, disclosure, mayBeAdmin: isAllowed });
  return routeTable([
    ...publicRoutes(api, new Health(application, context.clock)),
    ...adminRoutes({
      api,
      application,
      pushes: new Pushes(application.deployments),
      logs,
      urls,
      convexVersion,
      environment: () => environmentOf(application),
    }),
    ...movingRoutes(moving),
    ...fileRoutes(application.files),
  ]);
}

function appRespond(
  context: ServeContext,
  authenticator: Authenticator,
  routes: RouteTable,
): Respond {
  const { application, log, options } = context;
  const site = options.siteFolder === null ? null : new StaticSite(options.siteFolder);
  return originOf({
    routes,
    authenticator,
    mayBeAdmin: fromAllowedOrigin(context),
    log,
    httpAction: (incoming) => runHttpAction(application, authenticator, incoming),
    site: async (incoming) => (site === null ? null : site.respond(incoming)),
  });
}

function syncSockets(context: ServeContext, authenticator: Authenticator): SyncSockets {
  const { application, clock, log, options } = context;
  const { disclosure, appOrigin, trustedProxies } = options;
  const lanes = new MutationLanes();
  return new SyncSockets(
    { application, authenticator, lanes, clock, disclosure, log, newRequestId },
    (request) => ({
      request: requestMetadata(request.headers, request.socket.remoteAddress, trustedProxies),
      mayBeAdmin: mayBeAdmin(request.headers, appOrigin),
    }),
  );
}

type Ports = { readonly main: HttpPort; readonly actions: HttpPort };

async function openPorts({ log, options }: ServeContext): Promise<Ports> {
  const { host, trustedProxies } = options;
  const main = await HttpPort.open(host, options.port, "--port", { log, trustedProxies });
  const openActions = (port: number) =>
    HttpPort.open(host, port, "--site-port", { log, trustedProxies });
  try {
    if (options.sitePort !== null) return { main, actions: await openActions(options.sitePort) };
    return { main, actions: await openActions(main.port + 1).catch(() => openActions(0)) };
  } catch (error) {
    await main.close();
    throw error;
  }
}

export async function serve(context: ServeContext): Promise<Served> {
  const { application, clock, log, options } = context;
  const { main, actions } = await openPorts(context);
  const localUrl = urlAt(options.host, main.port);
  const urls: DeploymentUrls = {
    cloudUrl: options.appOrigin ?? localUrl,
    siteUrl: options.appOrigin ?? urlAt(options.host, actions.port),
  };
  registerSystemQueries(application, urls);
  const logs = new FunctionLogs(clock);
  const stopFollowing = followCalls(context, logs);
  const moving = await openMoving(context);
  const authenticator = new Authenticator(
    context.adminKey,
    userTokens({
      providers: () => application.authProviders(),
      keySets: new KeySets(),
      now: () => clock.now(),
    }),
  );
  const sockets = syncSockets(context, authenticator);
  sockets.attach(main.server);
  const routes = engineRoutes(context, authenticator, logs, urls, moving);
  main.respondWith(appRespond(context, authenticator, routes));
  const httpAction = (incoming: Incoming) => runHttpAction(application, authenticator, incoming);
  actions.respondWith(httpActionOrigin({ httpAction, log }));
  if (!isLoopback(options.host)) {
    log.note(
      `Other machines can reach the engine at ${options.host}:${main.port}: whoever has the admin key runs code on it.`,
    );
  }
  return {
    ...urls,
    localUrl,
    routes: routes.all,
    async close() {
      stopFollowing();
      logs.close();
      await Promise.all([main.close(), actions.close(), sockets.close()]);
      moving.exports.close();
      await moving.imports.close();
    },
  };
}
