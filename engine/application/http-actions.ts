/**
 * Owns: HTTP actions: finding the route in http.ts and running its handler.
 * Not: the HTTP server (server/).
 */
import type { Caller, RequestMetadata } from "../application.ts";
import type { ComponentInstance, HttpRouter } from "../functions/component-instance.ts";
import type { EngineParts } from "../functions/engine-parts.ts";
import { runInside } from "../functions/execution.ts";
import type { Calls } from "./calls.ts";

const NOBODY: Caller = { kind: "visitor", identity: null };

export class HttpActions {
  readonly #engine: EngineParts;
  readonly #calls: Calls;

  constructor(engine: EngineParts, calls: Calls) {
    this.#engine = engine;
    this.#calls = calls;
  }

  hasRoute(app: ComponentInstance, method: string, pathname: string): boolean {
    return findRoute(app.httpRouter, method, pathname) !== null;
  }

  /** Null when http.ts has no route for it. A handler that throws becomes a 500 with Convex's body. */
  async run(
    request: Request,
    metadata: RequestMetadata,
    caller = NOBODY,
  ): Promise<Response | null> {
    const { pathname } = new URL(request.url);
    const route = findRoute(this.#engine.deployment().app.httpRouter, request.method, pathname);
    if (route === null) return null;
    const [handler, method, path] = route;
    const call = {
      target: { componentPath: "", path: `${method} ${path}` },
      caller,
      request: metadata,
    } as const;
    const result = await this.#calls.httpAction(call, (execution) =>
      runInside(execution, () => handler.invokeHttpAction(request)),
    );
    if (result.ok) return result.value;
    const code = `[Request ID: ${metadata.requestId}] Server Error`;
    return Response.json({ code, trace: result.message }, { status: 500 });
  }
}

function findRoute(
  router: HttpRouter | null,
  method: string,
  pathname: string,
): ReturnType<HttpRouter["lookup"]> {
  return router?.lookup(pathname, method === "HEAD" ? "GET" : method) ?? null;
}
