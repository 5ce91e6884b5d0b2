/**
 * Owns: pushes between start_push and finish_push, and the order of finishing them.
 * Not: what a deployment is (application.ts), routes (server/admin-routes.ts).
 *
 * Until `finish` nothing of a push is visible: a CLI that dies half-way leaves the old code running.
 */
import { randomUUID } from "node:crypto";
import type { Deployments, DeployRequest, StagedDeployment } from "../application.ts";
import { DeployError } from "../errors.ts";
import { authProviderOnWire, componentTree, finishedDiff, indexDiffOnWire } from "./push-diff.ts";
import { isRecord, RequestError, type Fields } from "./push-fields.ts";
import { parsePushRequest } from "./push-request.ts";

/** codegen and dry runs start pushes that nobody finishes; the oldest are forgotten. */
const MAX_PENDING_PUSHES = 8;

type PendingPush = {
  readonly request: DeployRequest;
  readonly staged: StagedDeployment;
  /** What ran when this push started: if that changed meanwhile, the push was analysed against the wrong thing. */
  readonly startedAgainst: DeployRequest | null;
};

export class Pushes {
  readonly #deployments: Deployments;
  readonly #pending = new Map<string, PendingPush>();
  #finishing: Promise<unknown> = Promise.resolve();

  constructor(deployments: Deployments) {
    this.#deployments = deployments;
  }

  async start(
    body: Fields,
    environmentVariables: Readonly<Record<string, string>>,
  ): Promise<object> {
    const startedAgainst = this.#deployments.current();
    const request = parsePushRequest(body, startedAgainst);
    const staged = await this.#deployments.stage(request);
    const schemaChange = this.#remember({ request, staged, startedAgainst });
    return {
      environmentVariables,
      externalDepsId: null,
      componentDefinitionPackages: {},
      appAuth: staged.authProviders.map(authProviderOnWire),
      analysis: staged.analysis,
      app: componentTree(staged.instances),
      schemaChange,
    };
  }

  /** What would change in the schema; nothing can be finished from it. */
  async evaluate(body: Fields): Promise<object> {
    const staged = await this.#deployments.stage(
      parsePushRequest(body, this.#deployments.current()),
    );
    return {
      schemaChange: { allocatedComponentIds: {}, schemaIds: {}, indexDiffs: indexDiffs(staged) },
    };
  }

  /** Whether old rows fit the new schema. The whole check runs at once here, so it is never "inProgress". */
  async waitForSchema(body: Fields): Promise<object> {
    const push = this.#find(body["schemaChange"]);
    if (push === null || push.startedAgainst !== this.#deployments.current())
      return { type: "raceDetected" };
    const violation = await push.staged.validateSchema();
    if (violation === null) return { type: "complete" };
    const { message, componentPath, tableName } = violation;
    return { type: "failed", error: message, componentPath, tableName };
  }

  /** One finish at a time; the second of two that started together is told to start over. */
  finish(body: Fields): Promise<object> {
    const finished = this.#finishing.then(() => this.#finish(body));
    this.#finishing = finished.catch(() => undefined);
    return finished;
  }

  async #finish(body: Fields): Promise<object> {
    const { startPush, dryRun } = body;
    const push = isRecord(startPush) ? this.#find(startPush["schemaChange"]) : null;
    if (push === null) {
      throw new DeployError("not-loadable", "This push is not known here any more. Push again.");
    }
    const before = this.#deployments.current();
    if (before !== push.startedAgainst) throw new PushRace();
    const diff = finishedDiff(before, push.request, push.staged);
    if (dryRun === true) return diff;
    await push.staged.activate();
    this.#pending.clear();
    return diff;
  }

  #remember(push: PendingPush): object {
    const pushId = randomUUID();
    this.#pending.set(pushId, push);
    for (const oldest of this.#pending.keys()) {
      if (this.#pending.size <= MAX_PENDING_PUSHES) break;
      this.#pending.delete(oldest);
    }
    return {
      allocatedComponentIds: {},
      schemaIds: { pushId },
      indexDiffs: indexDiffs(push.staged),
    };
  }

  #find(schemaChange: unknown): PendingPush | null {
    if (!isRecord(schemaChange))
      throw new RequestError("schemaChange", "the one that start_push gave");
    const { schemaIds } = schemaChange;
    if (!isRecord(schemaIds)) throw new RequestError("schemaIds", "the ones that start_push gave");
    const { pushId } = schemaIds;
    return typeof pushId === "string" ? (this.#pending.get(pushId) ?? null) : null;
  }
}

/** Another push won. The CLI starts over by itself when it sees this code. */
export class PushRace extends Error {
  override name = "PushRace";

  constructor() {
    super("Another push became active while this one was under way. Push again.");
  }
}

function indexDiffs(staged: StagedDeployment): object {
  const paths = staged.instances.map((instance) => instance.componentPath);
  return Object.fromEntries(paths.map((path) => [path, indexDiffOnWire(staged.indexDiffs[path])]));
}
