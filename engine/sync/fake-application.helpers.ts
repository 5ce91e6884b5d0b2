/**
 * Owns: a small Application in memory, so that protocols can be tested without the real engine under them.
 * Not: transactions, schemas, real read sets: every commit makes every live query stale.
 */
import type {
  Application,
  Caller,
  FunctionFailure,
  FunctionKind,
  FunctionLog,
  FunctionTarget,
  LiveQuery,
  MutationResult,
  QueryResult,
  StagedDeployment,
  SystemQuery,
} from "../application.ts";

export type FakeState = Map<string, number>;
/** Returns a value that JSON can carry, or throws. */
export type FakeFunction = {
  readonly kind: FunctionKind;
  readonly isInternal?: boolean;
  readonly run: (args: Record<string, unknown>, state: FakeState, caller: Caller) => unknown;
};

export type FakeApplication = Application & {
  readonly state: FakeState;
  /** Every mutation that ran, in order, by its arguments. */
  readonly ran: string[];
  readonly opened: number;
  readonly released: number;
  /** While set, mutations and evaluations wait for it. */
  gate: Promise<void> | null;
  environmentVariables: Map<string, string>;
  staged: StagedDeployment | null;
  log(log: FunctionLog): void;
};

const NANOSECONDS_PER_MS = 1_000_000n;
const notPartOfThis = (): never => {
  throw new Error("The fake application does not do this.");
};

function failure(message: string, data: string | null = null): FunctionFailure {
  return { ok: false, message, data, logLines: [], requestId: "0123456789abcdef" };
}

class FakeError extends Error {
  readonly data: string | null;
  constructor(message: string, data: string | null) {
    super(message);
    this.data = data;
  }
}

/** What a function throws to fail with a ConvexError's data. */
export function fakeConvexError(data: unknown): Error {
  return new FakeError("Uncaught ConvexError", JSON.stringify(data));
}

export function createFakeApplication(
  functions: Readonly<Record<string, FakeFunction>>,
  startsAt = 1_700_000_000_000,
): FakeApplication {
  const state: FakeState = new Map();
  const ran: string[] = [];
  const answered = new Map<string, MutationResult>();
  const staleListeners = new Set<() => void>();
  const logListeners = new Set<(log: FunctionLog) => void>();
  const systemQueries = new Map<string, SystemQuery>();
  const environmentVariables = new Map<string, string>();
  let commitTs = BigInt(startsAt) * NANOSECONDS_PER_MS;
  let opened = 0;
  let released = 0;
  const results = new WeakMap<LiveQuery, QueryResult>();
  const asked = new WeakMap<
    LiveQuery,
    { target: FunctionTarget; argsJson: string; caller: Caller }
  >();

  function find(target: FunctionTarget, caller: Caller): FakeFunction | null {
    const found = functions[target.path];
    return found === undefined || (found.isInternal === true && caller.kind !== "admin")
      ? null
      : found;
  }

  function run(target: FunctionTarget, argsJson: string, caller: Caller): QueryResult {
    const system = systemQueries.get(target.path);
    const found = find(target, caller);
    try {
      if (system !== undefined) {
        if (caller.kind !== "admin") return failure("Only an admin may call system queries.");
        const reader = {
          environment: () => [...environmentVariables].map(([name, value]) => ({ name, value })),
        };
        const value = system(
          {
            tables: () => ["notes"],
            page: notPartOfThis,
            components: () => [""],
            functions: () => [],
            stored: () => null,
            ...reader,
          },
          argsJson,
          target.componentPath,
        );
        return { ok: true, value, logLines: [], journal: null };
      }
      if (found === null) return failure(`Could not find public function for '${target.path}'.`);
      const logLines = [
        { level: "LOG", messages: [`'ran ${target.path}'`], at: startsAt, isTruncated: false },
      ] as const;
      const value = JSON.stringify(
        found.run(JSON.parse(argsJson) as Record<string, unknown>, state, caller) ?? null,
      );
      return { ok: true, value, logLines, journal: null };
    } catch (error) {
      if (error instanceof FakeError) return failure(error.message, error.data);
      return failure(`Uncaught ${String(error)}\n    at handler (convex/fake.ts:1:1)`);
    }
  }

  const application: FakeApplication = {
    state,
    ran,
    environmentVariables,
    gate: null,
    staged: null,
    get opened() {
      return opened;
    },
    get released() {
      return released;
    },
    inlineQuery: notPartOfThis,
    moves: { snapshot: notPartOfThis, beginImport: notPartOfThis },
    files: { uploadTarget: notPartOfThis, store: notPartOfThis, open: notPartOfThis },
    get commitTs() {
      return commitTs;
    },
    live: {
      open(target, argsJson, caller) {
        opened += 1;
        const live: LiveQuery = {
          onStale(listener) {
            staleListeners.add(listener);
            return () => staleListeners.delete(listener);
          },
          release() {
            released += 1;
          },
        };
        asked.set(live, { target, argsJson, caller });
        return live;
      },
      async evaluate(queries) {
        await application.gate;
        const evaluated = queries.map((live) => {
          const question = asked.get(live);
          if (question === undefined) throw new Error("This live query is not open.");
          const result = run(question.target, question.argsJson, question.caller);
          const before = results.get(live);
          if (before !== undefined && JSON.stringify(before) === JSON.stringify(result))
            return before;
          results.set(live, result);
          return result;
        });
        return { ts: commitTs, results: evaluated };
      },
    },
    functionKind: (target, caller) => find(target, caller)?.kind ?? null,
    query: async (target, argsJson, { caller }) => run(target, argsJson, caller),
    async mutation(target, argsJson, { caller, requestKey }) {
      await application.gate;
      const key =
        requestKey === undefined
          ? null
          : JSON.stringify([requestKey.sessionId, requestKey.requestId]);
      const first = key === null ? undefined : answered.get(key);
      if (first !== undefined) return first;
      ran.push(argsJson);
      const result = run(target, argsJson, caller);
      if (!result.ok) return result;
      commitTs += NANOSECONDS_PER_MS;
      const done: MutationResult = {
        ok: true,
        value: result.value,
        logLines: result.logLines,
        commitTs,
      };
      if (key !== null) answered.set(key, done);
      for (const listener of [...staleListeners]) listener();
      return done;
    },
    async action(target, argsJson, { caller }) {
      await application.gate;
      return run(target, argsJson, caller);
    },
    hasHttpRoute: (_method, pathname) => pathname.startsWith("/hook"),
    httpAction: async (request, metadata) =>
      Response.json(
        { method: request.method, url: request.url, body: await request.text(), ip: metadata.ip },
        {
          status: 201,
          headers: { "x-app": "yes", "access-control-allow-origin": "https://shop.example" },
        },
      ),
    registerSystemQuery: (path, query) => void systemQueries.set(path, query),
    async setEnvironment(changes) {
      for (const { name, value } of changes) {
        if (value === null) environmentVariables.delete(name);
        else environmentVariables.set(name, value);
      }
    },
    onFunctionLog(listener) {
      logListeners.add(listener);
      return () => logListeners.delete(listener);
    },
    log(log) {
      for (const listener of logListeners) listener(log);
    },
    deployments: {
      current: () => null,
      stage: async () => application.staged ?? notPartOfThis(),
    },
    scheduled: {
      due: () => ({ jobs: [], nextDueAt: null }),
      onScheduled: notPartOfThis,
      runMutation: notPartOfThis,
      runAction: notPartOfThis,
      kind: notPartOfThis,
      failInterrupted: notPartOfThis,
    },
    crons: () => [],
    authProviders: () => [],
    transact: async (body) => {
      const putOnly = {
        now: startsAt,
        get: () => undefined,
        range: () => [],
        put: () => undefined,
      };
      return body(putOnly);
    },
    onDeployed: () => () => undefined,
    close: async () => undefined,
  };
  return application;
}

/** Counters that anybody may read and add to; enough for the protocols. */
export const counterFunctions: Readonly<Record<string, FakeFunction>> = {
  "counters:get": { kind: "query", run: ({ name }, state) => state.get(String(name)) ?? 0 },
  "counters:add": {
    kind: "mutation",
    run: ({ name, by }, state) => {
      const value = (state.get(String(name)) ?? 0) + Number(by ?? 1);
      state.set(String(name), value);
      return value;
    },
  },
  "counters:fail": {
    kind: "mutation",
    run: () => {
      throw fakeConvexError({ code: "refused" });
    },
  },
  "counters:crash": {
    kind: "query",
    run: () => {
      throw new Error("secret detail");
    },
  },
  "counters:echo": { kind: "action", run: (args) => args },
  "counters:whoami": { kind: "query", run: (_args, _state, caller) => caller },
  "counters:secret": { kind: "query", isInternal: true, run: () => "for admins" },
};
