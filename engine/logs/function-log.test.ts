import { describe, expect, test } from "vitest";
import type { FunctionLog } from "../application.ts";
import { manualClock } from "../clock.helpers.ts";
import { callLines } from "./call-lines.ts";
import { FunctionLogs } from "./function-log.ts";

const call = (path: string, rest: Partial<FunctionLog> = {}): FunctionLog => ({
  kind: "mutation",
  target: { componentPath: "", path },
  requestId: "abcd",
  at: 1_000,
  durationMs: 2.4,
  logLines: [],
  error: null,
  cached: false,
  footprint: {
    documentsRead: 1,
    documentsWritten: 2,
    databaseQueries: 3,
    bytesRead: 4,
    bytesWritten: 5,
    readRanges: [],
    writtenKeys: [],
  },
  ...rest,
});
const names = (page: { entries: readonly object[] }) =>
  page.entries.map((entry) => ("identifier" in entry ? entry.identifier : null));

describe("the log of calls", () => {
  test("a new reader gets what is kept, then only what is new, each call once", async () => {
    const logs = new FunctionLogs(manualClock());
    logs.add(call("a:one"));
    logs.add(call("a:two"));
    const first = await logs.after(0);
    expect(names(first)).toEqual(["a:one", "a:two"]);
    logs.add(call("a:three"));
    expect(names(await logs.after(first.newCursor))).toEqual(["a:three"]);
  });

  test("a reader without news waits for the next call, and gives up after a while with the same cursor", async () => {
    const clock = manualClock();
    const logs = new FunctionLogs(clock);
    const { newCursor } = await logs.after(0);
    const waiting = logs.after(newCursor);
    logs.add(call("a:one"));
    expect(names(await waiting)).toEqual(["a:one"]);
    const head = (await logs.after(0)).newCursor;
    const inVain = logs.after(head);
    await clock.advance(20_000);
    expect(await inVain).toEqual({ entries: [], newCursor: head });
    expect(clock.dueTimes()).toEqual([]);
  });

  test("a cursor from before a restart still finds what came after it", async () => {
    const clock = manualClock();
    const before = new FunctionLogs(clock);
    before.add(call("a:old"));
    const { newCursor } = await before.after(0);
    await clock.advance(5_000);
    const after = new FunctionLogs(clock);
    after.add(call("a:new"));
    expect(names(await after.after(newCursor))).toEqual(["a:new"]);
  });

  test("only the newest calls are kept", async () => {
    const logs = new FunctionLogs(manualClock());
    for (let number = 0; number < 5_000; number++) logs.add(call(`a:f${number}`));
    const kept = names(await logs.after(0));
    expect(kept).toHaveLength(1_000);
    expect(kept.at(-1)).toBe("a:f4999");
  });
});

describe("a call on the terminal", () => {
  test("is one line, its log lines and its error below it", () => {
    const logLines = [
      { level: "WARN", messages: ["'slow'", "12"], at: 0, isTruncated: false },
    ] as const;
    const lines = callLines(
      call("a:default", { logLines, error: "Uncaught Error: no\n    at a.ts:1" }),
    );
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d M a 3 ms failed \(request abcd\)$/);
    expect(lines.slice(1)).toEqual([
      "  [WARN] 'slow' 12",
      "  Uncaught Error: no",
      "      at a.ts:1",
    ]);
  });
});
