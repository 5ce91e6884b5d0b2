/**
 * Owns: the only face that scheduler, sync, push, system and server see.
 * Not: how a transaction runs (transactions/, functions/) or what goes over a wire (sync/, server/).
 *
 * Values cross this face as JSON text in Convex's own encoding ($integer, $bytes, …): the seam between user
 * code and the engine is JSON in and JSON out, and nothing above needs the decoded form.
 */
import type { DataMoves } from "./data-moves.ts";
import type { LogLine } from "./functions/console.ts";
import type { StoredFiles } from "./stored-files.ts";

export type {
  DataImport,
  DataMoves,
  DataSnapshot,
  ImportMode,
  ImportedFile,
  SnapshotFile,
  TableAddress,
} from "./data-moves.ts";
export type { OpenedFile, StoredFiles } from "./stored-files.ts";

export type FunctionKind = "query" | "mutation" | "action";

/** `path` is canonical: "dir/module:export" without ".js" ("module:default" for a default export). `componentPath` is "" for the app, else "a/b". */
export type FunctionTarget = { readonly componentPath: string; readonly path: string };

/** Claims of a verified token as Convex hands them to user code (tokenIdentifier, subject, issuer, …). */
export type Identity = Readonly<Record<string, unknown>>;

/** Who asks. An admin may call internal functions and functions of components; `identity` is whom they act as. */
export type Caller = {
  readonly kind: "admin" | "visitor";
  readonly identity: Identity | null;
  /** The token that a visitor's identity is of; ctx.meta hands it to the app's own code. */
  readonly token?: string;
};

/** What ctx.meta.getRequestMetadata tells. The address is handed through, never stored. */
export type RequestMetadata = {
  readonly requestId: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
};

/** A failed call. `message` is Convex's wording ("Uncaught Error: …" with a source-mapped stack); `data` is JSON text of a ConvexError's data. */
export type FunctionFailure = {
  readonly ok: false;
  readonly message: string;
  readonly data: string | null;
  readonly logLines: readonly LogLine[];
  readonly requestId: string;
};

export type QuerySuccess = {
  readonly ok: true;
  readonly value: string;
  readonly logLines: readonly LogLine[];
  /** Opaque pagination state that the client hands back when it re-subscribes. */
  readonly journal: string | null;
};
export type MutationSuccess = {
  readonly ok: true;
  readonly value: string;
  readonly logLines: readonly LogLine[];
  /** Epoch nanoseconds; already durable when the promise resolves. */
  readonly commitTs: bigint;
};
export type ActionSuccess = {
  readonly ok: true;
  readonly value: string;
  readonly logLines: readonly LogLine[];
};

export type QueryResult = QuerySuccess | FunctionFailure;
export type MutationResult = MutationSuccess | FunctionFailure;
export type ActionResult = ActionSuccess | FunctionFailure;

export type CallOptions = { readonly caller: Caller; readonly request: RequestMetadata };

/** Identifies a client's mutation, so that a resend after a lost answer gives the first result instead of a second run. */
export type RequestKey = { readonly sessionId: string; readonly requestId: number };

/**
 * A query that somebody watches. Identical ones (target, args, caller, journal) share one.
 * Its listeners hear that the last result is stale; never more often than the refresh throttle allows.
 */
export interface LiveQuery {
  /** The listener must not throw; it is called outside of any transaction. */
  onStale(listener: () => void): () => void;
  release(): void;
}

/** Results of several live queries at one snapshot; a result that did not change is the same object as before. */
export type Evaluation = { readonly ts: bigint; readonly results: readonly QueryResult[] };

export interface LiveQueries {
  open(target: FunctionTarget, argsJson: string, caller: Caller, journal: string | null): LiveQuery;
  /**
   * All at one snapshot, none stale; resolves only when that snapshot is durable. Where there are many, other calls run
   * in between, and `signal` ends it: it rejects with the signal's reason.
   */
  evaluate(queries: readonly LiveQuery[], signal?: AbortSignal): Promise<Evaluation>;
}

/** Keys that the engine keeps for itself, beside documents and indexes; each part of the engine owns one prefix. */
export interface SystemTransaction {
  get(key: string): string | undefined;
  /** Keys in [lo, hi), ascending, with the transaction's own writes. */
  range(lo: string, hi: string, limit: number): readonly (readonly [key: string, value: string])[];
  put(key: string, value: string | null): void;
  /** Epoch ms, the transaction's one reading of the clock. */
  readonly now: number;
}

/** A job of ctx.scheduler. Its row in _scheduled_functions is what user code sees. */
export type ScheduledJob = {
  readonly id: string;
  readonly target: FunctionTarget;
  readonly argsJson: string;
  readonly dueAt: number;
};

export interface ScheduledJobs {
  /** Due at `now` (epoch ms) or before, oldest first, at most `limit`; and when the first later one is due. */
  due(now: number, limit: number): { jobs: readonly ScheduledJob[]; nextDueAt: number | null };
  /** Heard after a commit that added a job. */
  onScheduled(listener: () => void): () => void;
  /** Runs the job's mutation and marks it done in the same commit; a failure is marked in a commit of its own. Null when it was cancelled meanwhile. */
  runMutation(job: ScheduledJob): Promise<MutationResult | null>;
  /** Marks an action as begun (so that a crash cannot run it twice), runs it, marks the outcome. Null when it was cancelled meanwhile. */
  runAction(job: ScheduledJob): Promise<ActionResult | null>;
  kind(job: ScheduledJob): FunctionKind | null;
  /** At start: actions that were in progress when the process died are marked failed. Returns how many. */
  failInterrupted(): Promise<number>;
}

/** One entry of a pushed crons.ts. `schedule` is what `cronJobs().export()` gives, parsed. */
export type CronSpec = {
  readonly componentPath: string;
  readonly name: string;
  readonly target: FunctionTarget;
  readonly argsJson: string;
  readonly schedule: Readonly<Record<string, unknown>>;
};

/** What went on in one call, for `npx convex logs`, the terminal and tests. */
export type FunctionLog = {
  readonly kind: FunctionKind | "httpAction";
  readonly target: FunctionTarget;
  readonly requestId: string;
  readonly at: number;
  readonly durationMs: number;
  readonly logLines: readonly LogLine[];
  readonly error: string | null;
  readonly cached: boolean;
  readonly footprint: Footprint;
};

/** What a transaction touched. Counted as Convex counts them; `readRanges` and `writtenKeys` are exact and let tests assert that two calls share nothing; they are made when they are asked for, so do not keep a footprint. */
export type Footprint = {
  readonly documentsRead: number;
  readonly documentsWritten: number;
  readonly databaseQueries: number;
  readonly bytesRead: number;
  readonly bytesWritten: number;
  readonly readRanges: readonly (readonly [lo: string, hi: string])[];
  readonly writtenKeys: readonly string[];
};

/** Source of a pushed module, an ES module that the official CLI has bundled. */
export type ModuleSource = {
  readonly path: string;
  readonly source: string;
  readonly sourceMap: string | null;
};

/** One component definition as pushed; the app itself has path "". `dependencies` are definition paths. */
export type DefinitionSource = {
  readonly definitionPath: string;
  readonly dependencies: readonly string[];
  readonly definition: ModuleSource | null;
  readonly schema: ModuleSource | null;
  readonly modules: readonly ModuleSource[];
  readonly auth: ModuleSource | null;
};
export type DeployRequest = { readonly definitions: readonly DefinitionSource[] };

/** What is wrong with existing rows under a new schema; null when nothing is. */
export type SchemaViolation = {
  readonly componentPath: string;
  readonly tableName: string;
  readonly message: string;
};

/** Code that is loaded and analysed beside the running code; nothing of it is visible until `activate`. */
export interface StagedDeployment {
  /** Per definition path, in the shape of start_push's `analysis`; see functions/analyze.ts. */
  readonly analysis: Readonly<Record<string, unknown>>;
  /** Component instances, the app ("") first, parents before children. */
  readonly instances: readonly {
    readonly componentPath: string;
    readonly definitionPath: string;
  }[];
  readonly indexDiffs: Readonly<Record<string, IndexDiff>>;
  /** The `providers` of auth.config.ts, evaluated with the deployment's environment. */
  readonly authProviders: readonly unknown[];
  validateSchema(): Promise<SchemaViolation | null>;
  /** Swaps code, tables and indexes in one commit and re-runs every live query. Throws, changing nothing, when old rows violate the schema. */
  activate(): Promise<void>;
}
export type IndexChange = { readonly name: string; readonly fields: readonly string[] };
export type IndexDiff = {
  readonly added: readonly IndexChange[];
  readonly removed: readonly IndexChange[];
};

export interface Deployments {
  /** Throws a DeployError (errors.ts) with one clear sentence when the code does not load. */
  stage(request: DeployRequest): Promise<StagedDeployment>;
  /** The modules of the running deployment, for get_config_hashes; null before the first push. */
  current(): DeployRequest | null;
}

/** What `_system/...` queries may read; every read is tracked, so that they can be watched like any query. */
export interface SystemReader {
  tables(componentPath: string): readonly string[];
  page(
    componentPath: string,
    table: string,
    options: { cursor: string | null; limit: number; order: "asc" | "desc" },
  ): {
    page: readonly string[];
    isDone: boolean;
    continueCursor: string;
  };
  environment(): readonly { name: string; value: string }[];
  /** What `transact` has put under this key. */
  stored(key: string): string | null;
  components(): readonly string[];
  /** Function specs of a component, in the shape of the CLI's apiSpec. */
  functions(componentPath: string): readonly FunctionSpec[];
}
export type FunctionSpec = {
  readonly identifier: string;
  readonly kind: FunctionKind;
  readonly isPublic: boolean;
  readonly argsValidator: string;
  readonly returnsValidator: string;
};

/** A query that the engine answers itself; only an admin may call it. Its path begins with "_system/". Returns JSON text. */
export type SystemQuery = (read: SystemReader, argsJson: string, componentPath: string) => string;

export interface Application {
  readonly moves: DataMoves;
  readonly files: StoredFiles;
  readonly live: LiveQueries;
  readonly scheduled: ScheduledJobs;
  readonly deployments: Deployments;
  /** The last commit, epoch nanoseconds, monotonic, never ahead of what is stored. */
  readonly commitTs: bigint;

  /** What a caller would reach, or null where Convex would say "Could not find function". */
  functionKind(target: FunctionTarget, caller: Caller): FunctionKind | null;
  query(target: FunctionTarget, argsJson: string, options: CallOptions): Promise<QueryResult>;
  /** `source` is a module whose default export is a query; it runs once, beside the code that was pushed. */
  inlineQuery(source: string, componentPath: string, options: CallOptions): Promise<QueryResult>;
  /** `onRan` is called when it has run or failed, so that the next transaction sees what it did, and is not durable yet. */
  mutation(
    target: FunctionTarget,
    argsJson: string,
    options: CallOptions & { readonly requestKey?: RequestKey; readonly onRan?: () => void },
  ): Promise<MutationResult>;
  action(target: FunctionTarget, argsJson: string, options: CallOptions): Promise<ActionResult>;
  /** Null when http.ts has no route for it. `caller` is that of a token in its Authorization header, if one holds; nobody without. */
  httpAction(
    request: Request,
    metadata: RequestMetadata,
    caller?: Caller,
  ): Promise<Response | null>;
  hasHttpRoute(method: string, pathname: string): boolean;

  crons(): readonly CronSpec[];
  /** The `providers` of the running auth.config.ts. */
  authProviders(): readonly unknown[];
  setEnvironment(changes: readonly { name: string; value: string | null }[]): Promise<void>;
  registerSystemQuery(path: string, query: SystemQuery): void;
  /** One transaction of the engine's own; `body` must be synchronous. Resolves when durable. */
  transact<T>(body: (transaction: SystemTransaction) => T): Promise<T>;
  onFunctionLog(listener: (log: FunctionLog) => void): () => void;
  /** Heard after a new deployment became active (crons may have changed). */
  onDeployed(listener: () => void): () => void;
  /** Finishes what runs, makes it durable, closes the storage. */
  close(): Promise<void>;
}
