/**
 * Owns: putting the parts of the core together over a store, behind the one face that the layers above see.
 * Not: what any part does.
 */
import type { Application, DataMoves, SystemQuery, SystemTransaction } from "./application.ts";
import { Calls } from "./application/calls.ts";
import { RunningCode } from "./application/deployments.ts";
import { TableImport } from "./application/data-import.ts";
import type { ImportParts } from "./application/data-import.ts";
import { dataSnapshot } from "./application/data-snapshot.ts";
import { Environment } from "./application/environment.ts";
import type { Origin } from "./application/environment.ts";
import { FileAccess } from "./application/file-access.ts";
import { FunctionLogs } from "./application/function-logs.ts";
import { HttpActions } from "./application/http-actions.ts";
import { Jobs } from "./application/jobs.ts";
import { RequestResults } from "./application/request-results.ts";
import { SystemQueries } from "./application/system-queries.ts";
import { systemTransaction } from "./application/system-transaction.ts";
import { Catalog } from "./catalog/catalog.ts";
import { DiscardedFiles } from "./catalog/discarded-files.ts";
import { Documents } from "./catalog/documents.ts";
import type { RandomBytes } from "./catalog/documents.ts";
import { IndexBuilder } from "./catalog/index-builder.ts";
import { retiredOf } from "./catalog/retired-tables.ts";
import type { Clock } from "./clock.ts";
import { systemClock } from "./clock.ts";
import type { EngineParts } from "./functions/engine-parts.ts";
import { FileContents } from "./functions/file-contents.ts";
import { FileStore } from "./functions/file-store.ts";
import { JobStore } from "./functions/job-store.ts";
import { convexBridge } from "./functions/syscalls/dispatch.ts";
import { randomBytesFromPool } from "./application/random-pool.ts";
import type { Storage } from "./storage/storage.ts";
import { WatchedQueries } from "./subscriptions/live-queries.ts";
import { Commits } from "./transactions/commits.ts";
import { Executor } from "./transactions/executor.ts";

export type ApplicationOptions = {
  /** Closed with the application. */
  readonly storage: Storage;
  readonly clock?: Clock;
  readonly random?: RandomBytes;
  /** What CONVEX_CLOUD_URL and CONVEX_SITE_URL say; read at each use, so it may be known later. */
  readonly origin?: Origin;
  /** A bug of ours, or a disk that failed; the caller only sees that the request did not work. */
  readonly onInternalError?: (error: unknown) => void;
};

const NO_ORIGIN: Origin = { cloudUrl: "http://localhost", siteUrl: "http://localhost" };

/** Resolves when the code that was pushed before is loaded. Throws a DeployError when it does not load any more. */
export async function openApplication(options: ApplicationOptions): Promise<Application> {
  const core = new Core(options);
  await core.code.restore();
  core.discardedFiles.removeSoon();
  return applicationOf(core);
}

/** The parts, made in the order in which they need each other. */
class Core {
  readonly storage: Storage;
  readonly executor = new Executor();
  readonly commits: Commits;
  readonly environment: Environment;
  readonly indexes: IndexBuilder;
  readonly discardedFiles: DiscardedFiles;
  readonly engine: EngineParts;
  readonly code: RunningCode;
  readonly logs = new FunctionLogs();
  readonly calls: Calls;
  readonly live: WatchedQueries;
  readonly jobs: Jobs;
  readonly http: HttpActions;
  readonly systemQueries: SystemQueries;
  readonly imports: ImportParts;

  constructor({
    storage,
    clock = systemClock,
    random = randomBytesFromPool,
    origin = NO_ORIGIN,
    onInternalError = () => undefined,
  }: ApplicationOptions) {
    this.storage = storage;
    this.commits = new Commits(storage, clock, this.executor);
    this.environment = new Environment(storage, origin);
    const catalog = new Catalog(storage);
    this.commits.onLost(() => catalog.reload());
    const { executor, commits } = this;
    this.indexes = new IndexBuilder(catalog, commits, executor);
    this.commits.onLost(() => this.indexes.forget());
    this.discardedFiles = new DiscardedFiles(commits, executor, onInternalError);
    this.engine = this.#engineParts(catalog, { clock, random, origin });
    const runtime = {
      bridge: convexBridge(() => this.engine),
      clock,
      random,
      readEnvironment: (name: string) => this.environment.read(name),
    };
    const { indexes, engine } = this;
    const parts = { storage, catalog, commits, executor, indexes, runtime, onInternalError };
    this.code = new RunningCode(parts);
    this.calls = new Calls({ engine, logs: this.logs, onInternalError }, new RequestResults());
    this.systemQueries = new SystemQueries(engine, this.environment);
    this.live = new WatchedQueries(commits, clock, (query) =>
      this.systemQueries.has(query.target)
        ? this.systemQueries.run(query, this.calls.newRequest().requestId)
        : this.calls.queryInJob({ ...query, request: this.calls.newRequest() }),
    );
    this.commits.onLost(() => this.live.invalidateAll());
    this.code.onDeployed(() => this.live.invalidateAll());
    this.jobs = new Jobs(engine, this.calls);
    this.http = new HttpActions(engine, this.calls);
    this.imports = {
      engine,
      deployment: () => (this.code.isEmpty ? null : this.code.running),
      emptyRetired: (tables) =>
        void indexes.emptyRetired(tables.map(retiredOf)).catch(onInternalError),
      onReplaced: () => this.live.invalidateAll(),
    };
  }

  #engineParts(
    catalog: Catalog,
    { clock, random, origin }: Required<Pick<ApplicationOptions, "clock" | "random" | "origin">>,
  ): EngineParts {
    const { commits, executor } = this;
    const documents = new Documents(random);
    return {
      catalog,
      documents,
      jobs: new JobStore(catalog, documents),
      files: new FileStore(catalog, documents, random, () => origin.cloudUrl),
      fileContents: new FileContents(commits, this.discardedFiles),
      commits,
      executor,
      clock,
      random,
      calls: {
        query: (call) => this.calls.query(this.calls.fromAction(call)),
        mutation: (call) => this.calls.requiredMutation(this.calls.fromAction(call)),
        action: (call) => this.calls.action(this.calls.fromAction(call)),
      },
      deployment: () => this.code.running,
      stacks: () => this.code.stacks,
    };
  }
}

function applicationOf(core: Core): Application {
  const { calls, code, commits, http, live, jobs, logs, systemQueries } = core;
  return {
    moves: dataMoves(core),
    files: new FileAccess(core.engine),
    live,
    scheduled: jobs,
    deployments: code,
    get commitTs() {
      return commits.lastTs;
    },
    functionKind(target, caller) {
      if (systemQueries.has(target)) return caller.kind === "admin" ? "query" : null;
      return code.isEmpty ? null : calls.kind(target, caller);
    },
    query(target, argsJson, options) {
      return systemQueries.has(target)
        ? systemQueries.runNow({ target, argsJson, ...options })
        : calls.query({ target, argsJson, ...options });
    },
    inlineQuery: (source, componentPath, options) =>
      calls.inlineQuery(source, {
        target: { componentPath, path: "testQuery:default" },
        argsJson: "{}",
        ...options,
      }),
    mutation: (target, argsJson, { requestKey, onRan, ...options }) =>
      calls.requiredMutation(
        { target, argsJson, ...options },
        { ...(requestKey && { requestKey }), ...(onRan && { onRan }) },
      ),
    action: (target, argsJson, options) => calls.action({ target, argsJson, ...options }),
    async httpAction(request, metadata, caller) {
      return code.isEmpty ? null : http.run(request, metadata, caller);
    },
    hasHttpRoute: (method, pathname) =>
      !code.isEmpty && http.hasRoute(code.running.app, method, pathname),
    crons: () => (code.isEmpty ? [] : code.running.crons()),
    authProviders: () => (code.isEmpty ? [] : code.running.app.authProviders),
    setEnvironment: (changes) => setEnvironment(core, changes),
    registerSystemQuery: (path: string, query: SystemQuery) => systemQueries.register(path, query),
    transact: <T>(body: (transaction: SystemTransaction) => T) =>
      commits.transact((transaction) => body(systemTransaction(transaction))),
    onFunctionLog: (listener) => logs.listen(listener),
    onDeployed: (listener) => code.onDeployed(listener),
    close: () => close(core),
  };
}

function dataMoves({ commits, imports, storage }: Core): DataMoves {
  return {
    async snapshot() {
      await commits.durable();
      return dataSnapshot(storage.snapshot());
    },
    beginImport: (mode) => new TableImport(imports, mode),
  };
}

async function setEnvironment(
  { code, commits, environment, live }: Core,
  changes: readonly { name: string; value: string | null }[],
): Promise<void> {
  await commits.transact((transaction) => {
    for (const { name, value } of changes) environment.set(transaction, name, value);
  });
  code.reevaluate();
  live.invalidateAll();
}

/** An action may wait for somebody else's server; whoever stops the engine does not wait that long. */
const ACTION_GRACE_MS = 5_000;

async function close(core: Core): Promise<void> {
  const { calls, commits, discardedFiles, engine, indexes, live, storage } = core;
  indexes.stop();
  discardedFiles.stop();
  live.stop();
  let stopWaiting = (): void => {};
  const graceEnded = new Promise<void>((resolve) => {
    stopWaiting = engine.clock.setTimer(resolve, ACTION_GRACE_MS);
  });
  await Promise.race([calls.actionsEnded(), graceEnded]);
  stopWaiting();
  try {
    await commits.runDurably(() => undefined);
  } finally {
    storage.close();
  }
}
