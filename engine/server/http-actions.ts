/** Owns: turning an incoming request into the Request that the app's http.ts sees, and its Response into an answer. */
import { validateHeaderValue } from "node:http";
import type { Application, Caller } from "../application.ts";
import { AuthRefused } from "../auth/auth-refused.ts";
import { visitor } from "../auth/authenticator.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { HttpProblem, type Answer, type Incoming } from "./exchange.ts";

/** As on Convex. */
const MAX_HTTP_ACTION_BODY_BYTES = 20 * 1024 * 1024;
/** Describe the transfer between two neighbours, and are decided by ours. */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function requestHeaders({ headers }: Incoming): Headers {
  const forwarded = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    // The body is unpacked when the app sees it.
    if (value === undefined || HOP_HEADERS.has(name) || name === "content-encoding") continue;
    for (const one of Array.isArray(value) ? value : [value]) forwarded.append(name, one);
  }
  return forwarded;
}

function responseHeaders(response: Response): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = {};
  response.headers.forEach((value, name) => {
    if (HOP_HEADERS.has(name)) return;
    assertCanTravel(name, value);
    headers[name] = value;
  });
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) headers["set-cookie"] = cookies;
  return headers;
}

/** A Response takes characters (control characters, for one) that HTTP does not. */
function assertCanTravel(name: string, value: string): void {
  try {
    validateHeaderValue(name, value);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new HttpProblem(
      500,
      "BadResponseHeader",
      `The HTTP action's header "${name}" has a character that HTTP does not carry. Encode it.`,
    );
  }
}

/** The header is the app's own business too (webhooks, keys of its own), so one that is no token of a user is no error. */
async function callerIn(
  { headers: { authorization = "" } }: Incoming,
  authenticator: Authenticator,
): Promise<Caller> {
  if (!/^bearer /i.test(authorization)) return visitor;
  try {
    return await authenticator.fromHeader(authorization);
  } catch (error) {
    if (error instanceof AuthRefused) return visitor;
    throw error;
  }
}

/** Null when the app has no route for it. HEAD is answered by GET's route, as fetch handlers expect. */
export async function runHttpAction(
  application: Application,
  authenticator: Authenticator,
  incoming: Incoming,
): Promise<Answer | null> {
  const { url, metadata, signal } = incoming;
  const method = incoming.method === "HEAD" ? "GET" : incoming.method;
  if (!application.hasHttpRoute(method, url.pathname)) return null;
  const init: RequestInit = { method, headers: requestHeaders(incoming), signal };
  if (method !== "GET") init.body = new Uint8Array(await incoming.body(MAX_HTTP_ACTION_BODY_BYTES));
  const response = await application.httpAction(
    new Request(url, init),
    metadata,
    await callerIn(incoming, authenticator),
  );
  if (response === null) return null;
  return { status: response.status, headers: responseHeaders(response), body: response.body };
}
