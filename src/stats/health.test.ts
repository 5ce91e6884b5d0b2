import { describe, expect, test } from "vitest";
import { healthLines } from "./health.ts";
import type { Health } from "./stats.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");

const well: Health = {
  sealedUntil: null,
  lastCheck: null,
  reroll: null,
  proof: null,
  quarantined: 0,
};

const check = {
  from: "2026-11-29",
  to: "2026-11-29",
  finishedAt: NOW,
  days: 1,
  rows: 9_120,
  drift: 0,
  found: [],
  isRepair: false,
};

const job = {
  state: "running" as const,
  daysDone: 12,
  daysLeft: 40,
  startedAt: NOW,
  finishedAt: null,
  daysPerSecond: 2,
  etaMs: 20_000,
  error: null,
};

const linesOf = (health: Health, lagMs = 0) => healthLines({ health, lagMs });

describe("the lines about the machine", () => {
  test("nothing is told while all is well and nothing was proved yet", () => {
    expect(linesOf(well)).toEqual([]);
    expect(linesOf(well, 1_000)).toEqual([]);
  });

  test("the last proof says what was recounted; a drift says how many figures were wrong", () => {
    expect(linesOf({ ...well, lastCheck: check })).toEqual([
      { kind: "proved", at: NOW, views: 9_120, day: "2026-11-29" },
    ]);
    const wrong = { ...check, drift: 3, found: ["all-time views: 3, the log says 1"] };
    expect(linesOf({ ...well, lastCheck: wrong })).toEqual([
      { kind: "drift", at: NOW, figures: 3 },
    ]);
    const repaired = { ...wrong, isRepair: true };
    expect(linesOf({ ...well, lastCheck: repaired })).toEqual([{ kind: "repaired", at: NOW }]);
  });

  test("a late worker, jobs and rows put aside come before the proof", () => {
    const busy: Health = {
      ...well,
      reroll: job,
      proof: { ...job, state: "failed" },
      quarantined: 2,
      lastCheck: check,
    };
    expect(linesOf(busy, 60_000).map(({ kind }) => kind)).toEqual([
      "behind",
      "remaking",
      "stopped",
      "setAside",
      "proved",
    ]);
  });
});
