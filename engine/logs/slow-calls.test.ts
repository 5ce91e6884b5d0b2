import { describe, expect, test } from "vitest";
import type { FunctionLog } from "../application.ts";
import { SlowCalls } from "./slow-calls.ts";

const call = (rest: Partial<FunctionLog> = {}): FunctionLog => ({
  kind: "mutation",
  target: { componentPath: "", path: "stats:repair" },
  requestId: "abcd",
  at: 1_000,
  durationMs: 812.4,
  logLines: [],
  error: null,
  cached: false,
  footprint: {
    documentsRead: 5_000,
    documentsWritten: 40,
    databaseQueries: 1,
    bytesRead: 4,
    bytesWritten: 5,
    readRanges: [],
    writtenKeys: [],
  },
  ...rest,
});

describe("a slow call", () => {
  test("is one line: which function, how long, what it read and wrote, and the way out", () => {
    expect(new SlowCalls(500).warningOf(call())).toBe(
      "Slow: the mutation stats:repair took 812 ms; it read 5000 documents in 1 range and wrote 40. " +
        "Every other call waited: read fewer rows, or split it into smaller calls. (--slow-ms sets what is slow, now 500.)",
    );
  });

  test("is told once a minute for each function, and then how often it was slow meanwhile", () => {
    const slow = new SlowCalls(500);
    const other = call({ target: { componentPath: "totals", path: "tree:default" } });
    expect(slow.warningOf(call())).not.toBeNull();
    expect(slow.warningOf(other)).toContain("the mutation totals/tree took");
    expect(slow.warningOf(call({ at: 30_000 }))).toBeNull();
    expect(slow.warningOf(call({ at: 60_999 }))).toBeNull();
    expect(slow.warningOf(call({ at: 61_000 }))).toContain("was slow 2 more times since");
  });

  test("is none that is quicker than the limit, none of an action, and none when the limit is 0", () => {
    const slow = new SlowCalls(500);
    expect(slow.warningOf(call({ durationMs: 499 }))).toBeNull();
    expect(slow.warningOf(call({ kind: "action" }))).toBeNull();
    expect(slow.warningOf(call({ kind: "httpAction" }))).toBeNull();
    expect(new SlowCalls(0).warningOf(call())).toBeNull();
  });
});
