/** Owns: the routes that need no key: calling functions, and plain facts about the engine. */
import { plainText } from "./exchange.ts";
import type { Health } from "./health.ts";
import type { HttpApi } from "./http-api.ts";
import type { Route } from "./routes.ts";

/** The dashboard and tools show it; the form says that this is not a Convex backend. */
const ENGINE_VERSION = "footfall-engine-1";
const INSTANCE_NAME = "footfall";

export function publicRoutes(api: HttpApi, health: Health): Route[] {
  return [
    {
      method: "POST",
      path: "/api/query",
      access: "public",
      handle: (incoming) => api.call("query", incoming),
    },
    {
      method: "GET",
      path: "/api/query",
      access: "public",
      handle: (incoming) => api.queryByUrl(incoming),
    },
    {
      method: "POST",
      path: "/api/mutation",
      access: "public",
      handle: (incoming) => api.call("mutation", incoming),
    },
    {
      method: "POST",
      path: "/api/action",
      access: "public",
      handle: (incoming) => api.call("action", incoming),
    },
    {
      method: "POST",
      path: "/api/function",
      access: "public",
      handle: (incoming) => api.call("any", incoming),
    },
    { method: "POST", path: "/api/query_ts", access: "public", handle: () => api.timestamp() },
    {
      method: "POST",
      path: "/api/query_at_ts",
      access: "public",
      handle: (incoming) => api.queryAtTimestamp(incoming),
    },
    { method: "GET", path: "/version", access: "local", handle: () => plainText(ENGINE_VERSION) },
    {
      method: "GET",
      path: "/instance_name",
      access: "local",
      handle: () => plainText(INSTANCE_NAME),
    },
    {
      method: "GET",
      path: "/health",
      access: "local",
      handle: () => health.answer(),
    },
  ];
}
