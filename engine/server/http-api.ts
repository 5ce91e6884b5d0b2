/**
 * Owns: calling functions over HTTP: what ConvexHttpClient, `npx convex run` and curl use.
 * Not: who the caller is (auth/), what they may see of a failure (disclosure.ts).
 */
import type { Application, Caller, FunctionFailure, FunctionTarget } from "../application.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { errorMessageFor, logLinesFor, type Disclosure } from "../disclosure.ts";
import { readablePath } from "../function-path.ts";
import { MAX_ARGS_BYTES } from "../limits.ts";
import { encodeTimestamp } from "../sync/protocol/timestamp.ts";
import { parseJsonBody } from "./bodies.ts";
import { HttpProblem, json, jsonText, type Answer, type Incoming } from "./exchange.ts";
import { parseFunctionCall, type HttpFunctionCall, type ValueFormat } from "./function-call.ts";
import { toPlainJson } from "./plain-json.ts";

/** Arguments, with room for JSON's escapes. */
const MAX_CALL_BYTES = MAX_ARGS_BYTES + MAX_ARGS_BYTES / 4;
/** Convex's status of a call that reached its function and failed there; the clients look for it. */
const FUNCTION_FAILED = 560;
/** The other components are called by their paths (`_system/frontend/components:list`). */
const ROOT_COMPONENT_ID = "root";

export type HttpApiContext = {
  readonly application: Application;
  readonly authenticator: Authenticator;
  readonly disclosure: Disclosure;
  /** See cors.ts; false turns an admin key away. */
  readonly mayBeAdmin: (incoming: Incoming) => boolean;
};

type Kind = "query" | "mutation" | "action" | "any";
type Outcome =
  | { readonly ok: true; readonly value: string; readonly logLines: FunctionFailure["logLines"] }
  | FunctionFailure;

export class HttpApi {
  readonly #context: HttpApiContext;

  constructor(context: HttpApiContext) {
    this.#context = context;
  }

  async call(kind: Kind, incoming: Incoming): Promise<Answer> {
    const caller = await this.callerOf(incoming);
    const call = parseFunctionCall(parseJsonBody(await incoming.body(MAX_CALL_BYTES)));
    return this.#run(kind, call, caller, incoming);
  }

  /** `GET /api/query?path=&args=&format=`. */
  async queryByUrl(incoming: Incoming): Promise<Answer> {
    const caller = await this.callerOf(incoming);
    const { searchParams } = incoming.url;
    const args = parseJsonBody(Buffer.from(searchParams.get("args") ?? "{}"));
    const call = parseFunctionCall({
      path: searchParams.get("path"),
      args,
      format: searchParams.get("format"),
    });
    return this.#run("query", call, caller, incoming);
  }

  /** `npx convex run --inline-query`; the route is for admins. */
  async inlineQuery(incoming: Incoming): Promise<Answer> {
    const caller = await this.callerOf(incoming);
    const { bundle, componentId = "root" } = parseJsonBody(await incoming.body(MAX_CALL_BYTES));
    const source =
      typeof bundle === "object" && bundle !== null && "source" in bundle && bundle.source;
    if (typeof source !== "string" || typeof componentId !== "string")
      throw new HttpProblem(
        400,
        "BadArguments",
        'Field "bundle.source" must be a module\'s source.',
      );
    const componentPath = componentId === ROOT_COMPONENT_ID ? "" : componentId;
    const options = { caller, request: incoming.metadata };
    const outcome = await this.#context.application.inlineQuery(source, componentPath, options);
    // The CLI shows why only where the request itself has worked.
    return { ...this.#answer(outcome, "convex_encoded_json", caller), status: 200 };
  }

  timestamp(): Answer {
    return json({ ts: encodeTimestamp(this.#context.application.commitTs) });
  }

  /** Queries of one `consistentQuery` client. This engine keeps only the latest state, so it refuses once that has moved on. */
  async queryAtTimestamp(incoming: Incoming): Promise<Answer> {
    const caller = await this.callerOf(incoming);
    const body = parseJsonBody(await incoming.body(MAX_CALL_BYTES));
    const answer = await this.#run("query", parseFunctionCall(body), caller, incoming);
    if (body["ts"] === encodeTimestamp(this.#context.application.commitTs)) return answer;
    throw new HttpProblem(
      400,
      "TimestampTooOld",
      "The data has changed since this timestamp, and the embedded engine keeps no older state. Ask with a new client.",
    );
  }

  async callerOf(incoming: Incoming): Promise<Caller> {
    const caller = await this.#context.authenticator.fromHeader(incoming.headers.authorization);
    if (caller.kind === "admin" && !this.#context.mayBeAdmin(incoming)) {
      throw new HttpProblem(
        401,
        "BadOrigin",
        "The admin key is not taken from a page of another site.",
      );
    }
    return caller;
  }

  async #run(
    kind: Kind,
    call: HttpFunctionCall,
    caller: Caller,
    incoming: Incoming,
  ): Promise<Answer> {
    const outcome = await this.#outcome(kind, call, caller, incoming);
    return this.#answer(outcome, call.format, caller);
  }

  #answer(outcome: Outcome, format: ValueFormat, caller: Caller): Answer {
    const { disclosure } = this.#context;
    const logLines = JSON.stringify(logLinesFor(outcome.logLines, caller, disclosure));
    const inFormat = (text: string) => (format === "json" ? toPlainJson(text) : text);
    if (outcome.ok) {
      return jsonText(
        `{"status":"success","value":${inFormat(outcome.value)},"logLines":${logLines}}`,
      );
    }
    const message = JSON.stringify(errorMessageFor(outcome, caller, disclosure));
    const data = outcome.data === null ? "" : `,"errorData":${inFormat(outcome.data)}`;
    return jsonText(
      `{"status":"error","errorMessage":${message}${data},"logLines":${logLines}}`,
      FUNCTION_FAILED,
    );
  }

  async #outcome(
    kind: Kind,
    call: HttpFunctionCall,
    caller: Caller,
    incoming: Incoming,
  ): Promise<Outcome> {
    const { application } = this.#context;
    const options = { caller, request: incoming.metadata };
    const { target, argsJson } = call;
    switch (kind === "any" ? this.#kindOf(target, caller) : kind) {
      case "query":
        return application.query(target, argsJson, options);
      case "mutation":
        return application.mutation(target, argsJson, options);
      case "action":
        return application.action(target, argsJson, options);
      case null:
        return notFound(target, incoming);
    }
  }

  #kindOf(target: FunctionTarget, caller: Caller): "query" | "mutation" | "action" | null {
    if (target.path.startsWith("_system/")) return "query";
    return this.#context.application.functionKind(target, caller);
  }
}

/** `npx convex run` looks for these words and then lists the functions that there are. */
function notFound(target: FunctionTarget, incoming: Incoming): FunctionFailure {
  const name = readablePath(target.path);
  return {
    ok: false,
    message: `Could not find function for '${name}'. Did you forget to run \`npx convex dev\` or \`npx convex deploy\`?`,
    data: null,
    logLines: [],
    requestId: incoming.metadata.requestId,
  };
}
