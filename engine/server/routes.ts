/**
 * Owns: the table of the engine's own routes: which path does what, and who may.
 * Not: the app's HTTP actions and the site, which come after these (origin.ts).
 */
import type { Answer, Handler, Incoming } from "./exchange.ts";

/** "public": anybody, also a page of another site. "admin": only with the admin key. "local": plain facts, no CORS. */
export type Access = "public" | "admin" | "local";

export type Route = {
  readonly method: "GET" | "POST";
  /** What ends with "/*" stands for everything below it. */
  readonly path: string;
  readonly access: Access;
  readonly handle: Handler;
};

export type RouteTable = {
  readonly all: readonly Route[];
  find(method: string, path: string): Route | null;
  /** Whether any method is known at this path, for preflights. */
  isPublicPath(path: string): boolean;
};

export function routeTable(routes: readonly Route[]): RouteTable {
  const byKey = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const publicPaths = new Set(
    routes.filter((route) => route.access === "public").map((route) => route.path),
  );
  const folders = routes.filter((route) => route.path.endsWith("/*"));
  const isIn = (folder: Route, path: string): boolean => path.startsWith(folder.path.slice(0, -1));
  const inFolder = (method: string, path: string): Route | undefined =>
    folders.find((each) => each.method === method && isIn(each, path));
  return {
    all: routes,
    find(asked, path) {
      const method = asked === "HEAD" ? "GET" : asked;
      return byKey.get(`${method} ${path}`) ?? inFolder(method, path) ?? null;
    },
    isPublicPath: (path) =>
      publicPaths.has(path) ||
      folders.some((folder) => folder.access === "public" && isIn(folder, path)),
  };
}

export type Respond = (incoming: Incoming) => Promise<Answer>;
