import { describe, expect, test } from "vitest";
import type { Application, DefinitionSource, ScheduledJob } from "../application.ts";
import { manualClock } from "../clock.helpers.ts";
import { counterFunctions, createFakeApplication } from "../sync/fake-application.helpers.ts";
import { Health } from "./health.ts";

const NOW = Date.UTC(2026, 10, 30);

function jobDueAt(dueAt: number): ScheduledJob {
  const target = { componentPath: "", path: "worker:run" };
  return { id: "job", target, argsJson: '{"secret":"args"}', dueAt };
}

function definition(schema: string | null): DefinitionSource {
  const source = schema === null ? null : { path: "schema.js", source: schema, sourceMap: null };
  const rest = { definition: null, modules: [], auth: null, dependencies: [] };
  return { definitionPath: "", schema: source, ...rest };
}

/** An application with something due and something pushed, and what /health tells of it. */
function healthOf(due: () => readonly ScheduledJob[], schemas: (string | null)[] = []) {
  const fake: Application = createFakeApplication(counterFunctions);
  const listeners: (() => void)[] = [];
  const application: Application = {
    ...fake,
    commitTs: BigInt(NOW) * 1_000_000n + 7n,
    scheduled: { ...fake.scheduled, due: () => ({ jobs: due(), nextDueAt: null }) },
    deployments: {
      ...fake.deployments,
      current: () => (schemas.length === 0 ? null : { definitions: schemas.map(definition) }),
    },
    onDeployed: (listener) => {
      listeners.push(listener);
      return () => undefined;
    },
  };
  const health = new Health(application, manualClock(NOW));
  return {
    ask: () => {
      const { status, body } = health.answer();
      return { status, body: JSON.parse(body as string) as Record<string, unknown> };
    },
    deployed: () => {
      for (const listener of listeners) listener();
    },
  };
}

describe("/health", () => {
  test("tells when the last commit was, to the nanosecond for machines and as a time for people", () => {
    const { status, body } = healthOf(() => []).ask();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "up",
      lastCommit: `${NOW}000007`,
      lastCommitAt: "2026-11-30T00:00:00.000Z",
      workerLagMs: 0,
    });
  });

  test("tells how late the oldest scheduled function is, and not which", () => {
    const { body } = healthOf(() => [jobDueAt(NOW - 2_500), jobDueAt(NOW)]).ask();
    expect(body["workerLagMs"]).toBe(2_500);
    expect(JSON.stringify(body)).not.toMatch(/worker:run|secret/);
  });

  test("tells a version that changes with the schema and gives nothing of it away", () => {
    const schemas: (string | null)[] = [];
    const { ask, deployed } = healthOf(() => [], schemas);
    expect(ask().body["schemaVersion"]).toBeNull();
    const versions = ["patients", "patients, doctors"].map((schema) => {
      schemas.splice(0, schemas.length, schema);
      deployed();
      const { body } = ask();
      expect(JSON.stringify(body)).not.toContain("patients");
      return body["schemaVersion"];
    });
    expect(versions[0]).toMatch(/^[0-9a-f]{12}$/);
    expect(versions[1]).not.toBe(versions[0]);
  });

  test("says that it is failing when the store is, without the reason", () => {
    const { status, body } = healthOf(() => {
      throw new Error("/data/footfall.sqlite cannot be read");
    }).ask();
    expect(status).toBe(503);
    expect(body).toEqual({ status: "failing" });
  });
});
