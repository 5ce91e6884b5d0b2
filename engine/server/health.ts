/**
 * Owns: what `/health` tells anybody who asks: whether the engine works, and how late it is.
 * Not: what an app counts, who uses it, where it runs. Each client of the websocket is told the last commit's time
 * anyway; a digest of the schema says that it has changed, and not to what.
 */
import { createHash } from "node:crypto";
import type { Application } from "../application.ts";
import { NS_PER_MS, type Clock } from "../clock.ts";
import { json, type Answer } from "./exchange.ts";

const DIGEST_LENGTH = 12;

export class Health {
  readonly #application: Application;
  readonly #clock: Clock;
  /** Undefined: not made yet for the running code. */
  #schemaVersion: string | null | undefined = undefined;

  constructor(application: Application, clock: Clock) {
    this.#application = application;
    this.#clock = clock;
    application.onDeployed(() => {
      this.#schemaVersion = undefined;
    });
  }

  /** 503 when the store has failed and nothing can be read or written until the engine is started again. */
  answer(): Answer {
    try {
      const { commitTs } = this.#application;
      const facts = {
        lastCommit: commitTs.toString(),
        lastCommitAt: commitTs === 0n ? null : new Date(Number(commitTs / NS_PER_MS)).toISOString(),
        workerLagMs: this.#workerLagMs(),
        schemaVersion: this.#versionOfSchema(),
      };
      return json({ status: "up", ...facts });
    } catch {
      // The operator's terminal has the cause; a stranger needs to know no more than this.
      return json({ status: "failing" }, 503);
    }
  }

  /** How long the oldest scheduled function that is due and has not ended has been due. */
  #workerLagMs(): number {
    const now = this.#clock.now();
    const [oldest] = this.#application.scheduled.due(now, 1).jobs;
    return oldest === undefined ? 0 : Math.max(0, Math.round(now - oldest.dueAt));
  }

  /** Null before the first push. */
  #versionOfSchema(): string | null {
    this.#schemaVersion ??= digestOfSchemas(this.#application);
    return this.#schemaVersion;
  }
}

function digestOfSchemas({ deployments }: Application): string | null {
  const pushed = deployments.current();
  if (pushed === null) return null;
  const hash = createHash("sha256");
  for (const { definitionPath, schema } of pushed.definitions) {
    hash.update(JSON.stringify([definitionPath, schema?.source ?? null]));
  }
  return hash.digest("hex").slice(0, DIGEST_LENGTH);
}
