/**
 * Owns: a stand-in for the application that keeps its "disk" apart, so that tests can crash it between any two steps.
 * Not: real functions or transactions; a function here is a name, a kind, and what happens when it runs.
 */
import type {
  ActionResult,
  Application,
  CronSpec,
  FunctionKind,
  MutationResult,
  ScheduledJob,
} from "../application.ts";
import type { Clock } from "../clock.ts";
import type { CronApplication } from "./crons.ts";

type JobState = "pending" | "begun" | "done" | "failed" | "canceled";
type StoredJob = ScheduledJob & { state: JobState };

/** What survives a crash. `ran` lists "path at time" for everything whose effect was committed or began. */
export type FakeDisk = {
  readonly pairs: Map<string, string>;
  readonly results: Map<string, MutationResult>;
  readonly jobs: Map<string, StoredJob>;
  readonly ran: string[];
};

/**
 * `run` that rejects is a failure of the engine; `throws` is a failure of user code, which is a result; `losesCommits`
 * so many times the store loses the commit, which is the same result, but leaves no mark.
 */
export type FakeFunction = {
  readonly kind: FunctionKind;
  readonly run?: () => Promise<void>;
  readonly throws?: true;
  losesCommits?: number;
};

export type FakeApplication = CronApplication &
  Pick<Application, "scheduled"> & {
    schedule(job: Partial<ScheduledJob> & { id: string; dueAt: number }): void;
    deploy(crons: readonly CronSpec[]): void;
    /** Steps so far; a step is a moment at which the process could die. */
    readonly stepCount: number;
  };

export type FakeOptions = {
  readonly disk: FakeDisk;
  readonly clock: Clock;
  readonly functions: Readonly<Record<string, FakeFunction>>;
  readonly crons?: readonly CronSpec[];
  /** The process dies at this step: nothing that it awaits from then on ever comes. */
  readonly diesAtStep?: number;
};

export function emptyDisk(): FakeDisk {
  return { pairs: new Map(), results: new Map(), jobs: new Map(), ran: [] };
}

export function cron(name: string, schedule: CronSpec["schedule"], path = "m:run"): CronSpec {
  return {
    componentPath: "",
    name,
    target: { componentPath: "", path },
    argsJson: "[{}]",
    schedule,
  };
}

const OUTCOME = { ok: true, value: "null", logLines: [] } as const;
const FAILURE = {
  ok: false,
  message: "Uncaught Error",
  data: null,
  logLines: [],
  requestId: "x",
} as const;

export function fakeApplication(options: FakeOptions): FakeApplication {
  const { disk, clock, functions } = options;
  let crons = options.crons ?? [];
  let stepCount = 0;
  const scheduledListeners = new Set<() => void>();
  const deployedListeners = new Set<() => void>();

  const step = (): Promise<void> => {
    stepCount++;
    const isDead = stepCount >= (options.diesAtStep ?? Infinity);
    return isDead ? new Promise(() => {}) : Promise.resolve();
  };
  const commit = async <T>(change: () => T): Promise<T> => {
    await step();
    const result = change();
    await step();
    return result;
  };
  const effect = (path: string): void => void disk.ran.push(`${path} at ${clock.now()}`);

  const runMutation = async (
    path: string,
    alsoInCommit: (result: MutationResult) => boolean,
  ): Promise<MutationResult | null> => {
    await functions[path]?.run?.();
    return commit(() => {
      const result = { ...OUTCOME, commitTs: BigInt(clock.now()) };
      if (!alsoInCommit(result)) return null;
      effect(path);
      return result;
    });
  };
  const runAction = async (path: string): Promise<ActionResult> => {
    effect(path);
    await step();
    await functions[path]?.run?.();
    return OUTCOME;
  };
  const move = (job: ScheduledJob, from: JobState, to: JobState): boolean => {
    const stored = disk.jobs.get(job.id);
    if (stored?.state !== from) return false;
    stored.state = to;
    return true;
  };

  return {
    get stepCount() {
      return stepCount;
    },
    schedule(job) {
      const target = job.target ?? { componentPath: "", path: "m:run" };
      disk.jobs.set(job.id, { argsJson: "[{}]", ...job, target, state: "pending" });
      for (const listener of scheduledListeners) listener();
    },
    deploy(next) {
      crons = next;
      for (const listener of deployedListeners) listener();
    },
    crons: () => crons,
    onDeployed(listener) {
      deployedListeners.add(listener);
      return () => deployedListeners.delete(listener);
    },
    functionKind: (target) => functions[target.path]?.kind ?? null,
    transact: (body) => commit(() => body(transactionOf(disk.pairs, clock.now()))),
    async mutation(target, _argsJson, { requestKey }) {
      const key = JSON.stringify(requestKey);
      const earlier = disk.results.get(key);
      if (earlier) return earlier;
      if (functions[target.path]?.throws) {
        disk.ran.push(`${target.path} throws at ${clock.now()}`);
        return FAILURE;
      }
      const result = await runMutation(target.path, (made) => disk.results.set(key, made).has(key));
      if (result === null) throw new Error("A cron's mutation always commits here.");
      return result;
    },
    action: (target) => runAction(target.path),
    scheduled: {
      due(now, limit) {
        const pending = [...disk.jobs.values()]
          .filter((job) => job.state === "pending")
          .sort((a, b) => a.dueAt - b.dueAt);
        const later = pending.find((job) => job.dueAt > now);
        const jobs = pending.filter((job) => job.dueAt <= now).slice(0, limit);
        return { jobs, nextDueAt: later?.dueAt ?? null };
      },
      onScheduled(listener) {
        scheduledListeners.add(listener);
        return () => scheduledListeners.delete(listener);
      },
      async runMutation(job) {
        const registered = functions[job.target.path];
        if (registered?.losesCommits) {
          registered.losesCommits--;
          return FAILURE;
        }
        return runMutation(job.target.path, () => move(job, "pending", "done"));
      },
      async runAction(job) {
        if (!(await commit(() => move(job, "pending", "begun")))) return null;
        const result = await runAction(job.target.path);
        await commit(() => move(job, "begun", "done"));
        return result;
      },
      kind: (job) => functions[job.target.path]?.kind ?? null,
      failInterrupted: () =>
        commit(() => [...disk.jobs.values()].filter((job) => move(job, "begun", "failed")).length),
    },
  };
}

function transactionOf(
  pairs: Map<string, string>,
  now: number,
): Parameters<Parameters<Application["transact"]>[0]>[0] {
  return {
    now,
    get: (key) => pairs.get(key),
    range: (lo, hi, limit) =>
      [...pairs]
        .filter(([key]) => lo <= key && key < hi)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, limit),
    put(key, value) {
      if (value === null) pairs.delete(key);
      else pairs.set(key, value);
    },
  };
}
