/**
 * Owns: what one origin answers, in order: the engine's own routes, the app's HTTP actions, the site.
 * Not: sockets (http.ts), nor any of those three.
 */
import type { Authenticator } from "../auth/authenticator.ts";
import { AuthRefused } from "../auth/auth-refused.ts";
import { DeployError, FunctionError, StorageError } from "../errors.ts";
import type { EngineLog } from "../logs/engine-log.ts";
import { RequestError } from "../push/push-fields.ts";
import { PushRace } from "../push/pushes.ts";
import { openToAllSites, preflight } from "./cors.ts";
import { HttpProblem, problem, type Answer, type Incoming } from "./exchange.ts";
import type { Access, Respond, RouteTable } from "./routes.ts";

export type OriginContext = {
  readonly routes: RouteTable;
  readonly authenticator: Authenticator;
  readonly mayBeAdmin: (incoming: Incoming) => boolean;
  readonly log: EngineLog;
  /** Null: none of the app's routes matches. */
  readonly httpAction: (incoming: Incoming) => Promise<Answer | null>;
  /** Null: no such file, or no site is served. */
  readonly site: (incoming: Incoming) => Promise<Answer | null>;
};

/** Paths below these belong to the engine; what is unknown there is the admin's business. */
const isEnginePath = (path: string): boolean => path === "/api" || path.startsWith("/api/");

function withHeaders(answer: Answer, access: Access): Answer {
  if (access !== "public") return answer;
  return { ...answer, headers: { ...answer.headers, ...openToAllSites } };
}

async function requireAdmin(context: OriginContext, incoming: Incoming): Promise<void> {
  const missing = () =>
    new HttpProblem(401, "MissingAdminKey", "This needs the admin key of this instance.");
  if (!context.mayBeAdmin(incoming)) throw missing();
  const caller = await context.authenticator.fromHeader(incoming.headers.authorization);
  if (caller.kind !== "admin") throw missing();
}

function asProblem(error: unknown, incoming: Incoming, log: EngineLog): Answer {
  if (error instanceof HttpProblem) return problem(error.status, error.code, error.message);
  if (error instanceof AuthRefused) return problem(401, error.code, error.message);
  if (error instanceof PushRace) return problem(400, "RaceDetected", error.message);
  if (error instanceof DeployError)
    return problem(400, `Push refused (${error.code})`, error.message);
  if (error instanceof RequestError || error instanceof FunctionError)
    return problem(400, "BadRequest", error.message);
  const { requestId } = incoming.metadata;
  log.problem(`${incoming.method} ${incoming.url.pathname} failed (request ${requestId})`, error);
  if (error instanceof StorageError) {
    return problem(
      503,
      "NotStored",
      `The disk failed before this was safe on it. Try again later. The engine's log has the reason under request ${requestId}.`,
    );
  }
  return problem(
    500,
    "InternalServerError",
    `The engine failed. Its log has the reason under request ${requestId}.`,
  );
}

async function engineRoute(context: OriginContext, incoming: Incoming): Promise<Answer | null> {
  const { method, url } = incoming;
  const route = context.routes.find(method, url.pathname);
  if (route === null) return null;
  try {
    if (route.access === "admin") await requireAdmin(context, incoming);
    return withHeaders(await route.handle(incoming), route.access);
  } catch (error) {
    return withHeaders(asProblem(error, incoming, context.log), route.access);
  }
}

/** Without the key a stranger learns nothing, not even which admin paths exist. */
async function unknownEnginePath(context: OriginContext, incoming: Incoming): Promise<Answer> {
  await requireAdmin(context, incoming);
  const { method, url } = incoming;
  throw new HttpProblem(
    400,
    "NotSupported",
    `${method} ${url.pathname} is not supported by the embedded engine. engine/README.md lists what is; the rest needs Convex.`,
  );
}

export function originOf(context: OriginContext): Respond {
  return async (incoming) => {
    const { method, url, headers } = incoming;
    try {
      if (method === "OPTIONS" && context.routes.isPublicPath(url.pathname))
        return preflight(headers);
      const own = await engineRoute(context, incoming);
      if (own !== null) return own;
      const fromAction = await context.httpAction(incoming);
      if (fromAction !== null) return fromAction;
      if (isEnginePath(url.pathname)) return await unknownEnginePath(context, incoming);
      return (
        (await context.site(incoming)) ??
        problem(404, "NotFound", "There is nothing at this address.")
      );
    } catch (error) {
      return asProblem(error, incoming, context.log);
    }
  };
}

/** The second port, as on Convex: only HTTP actions live there. */
export function httpActionOrigin(context: Pick<OriginContext, "httpAction" | "log">): Respond {
  return async (incoming) => {
    try {
      const answer = await context.httpAction(incoming);
      return (
        answer ??
        problem(404, "NotFound", "No HTTP action of this app matches this method and path.")
      );
    } catch (error) {
      return asProblem(error, incoming, context.log);
    }
  };
}
