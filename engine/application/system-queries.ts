/**
 * Owns: running the queries that the engine answers itself (`_system/…`); only an admin may.
 * Not: the queries (system/), what they may read (system-reads.ts).
 */
import type {
  Caller,
  FunctionTarget,
  QueryResult,
  RequestMetadata,
  SystemQuery,
} from "../application.ts";
import { canonicalPath } from "../function-path.ts";
import type { EngineParts } from "../functions/engine-parts.ts";
import { describeFailure } from "../functions/failures.ts";
import type { QueryRun, WatchedQuery } from "../subscriptions/live-queries.ts";
import { Usage } from "../transactions/usage.ts";
import type { Environment } from "./environment.ts";
import { systemReader } from "./system-reads.ts";

const PREFIX = "_system/";

/** The component path of the app itself. */
const APP = "";

type SystemCall = {
  readonly target: FunctionTarget;
  readonly argsJson: string;
  readonly caller: Caller;
  readonly request: RequestMetadata;
};

export class SystemQueries {
  readonly #engine: EngineParts;
  readonly #environment: Environment;
  readonly #queries = new Map<string, SystemQuery>();

  constructor(engine: EngineParts, environment: Environment) {
    this.#engine = engine;
    this.#environment = environment;
  }

  register(path: string, query: SystemQuery): void {
    this.#queries.set(canonicalPath(path), query);
  }

  has({ path }: FunctionTarget): boolean {
    return path.startsWith(PREFIX);
  }

  async runNow({ request, ...call }: SystemCall): Promise<QueryResult> {
    const query = { ...call, journal: null };
    const { commits } = this.#engine;
    const { result } = await commits.runDurably(() => this.run(query, request.requestId));
    return result;
  }

  /** Within a job of the executor. */
  async run({ target, argsJson, caller }: WatchedQuery, requestId: string): Promise<QueryRun> {
    const transaction = this.#engine.commits.begin(new Usage("unbounded"));
    const failed = (message: string): QueryResult => ({
      ok: false,
      message,
      data: null,
      logLines: [],
      requestId,
    });
    const query = this.#queries.get(canonicalPath(target.path));
    if (query === undefined || caller.kind !== "admin") {
      return { result: failed(`Could not find function for '${target.path}'.`), reads: [] };
    }
    const unknown = this.#unknownComponent(target.componentPath);
    if (unknown !== null) return { result: failed(unknown), reads: [] };
    try {
      const reader = systemReader(transaction, this.#engine, this.#environment);
      const value = query(reader, argsJson, target.componentPath);
      const result: QueryResult = { ok: true, value, logLines: [], journal: null };
      return { result, reads: transaction.reads.merged() };
    } catch (error) {
      const { message } = describeFailure(error, []);
      return { result: failed(message), reads: transaction.reads.merged() };
    }
  }

  /** A sentence for a component that the app does not have, else null. */
  #unknownComponent(componentPath: string): string | null {
    if (componentPath === APP) return null;
    const { instances } = this.#engine.deployment();
    if (instances.has(componentPath)) return null;
    const known = [...instances.keys()].filter((path) => path !== APP).sort();
    return `Component "${componentPath}" is unknown here. Known: ${known.join(", ") || "none"}.`;
  }
}
