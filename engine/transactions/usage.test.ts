import { expect, test } from "vitest";
import { Usage } from "./usage.ts";

test("a limit is refused when it is passed, not when it is reached", () => {
  const usage = new Usage();
  usage.add("databaseQueries", 4096);
  expect(() => usage.add("databaseQueries", 1)).toThrow(
    "Too many index ranges read in a single function execution (limit: 4096). This is a Convex limit",
  );
});

test("a nested call that is rolled back gives back what it wrote and keeps what it read", () => {
  const usage = new Usage();
  usage.addWrite(10);
  usage.enter();
  usage.addWrite(5);
  usage.addRead(7);
  usage.leave("rolled-back");
  expect([
    usage.used("bytesWritten"),
    usage.used("documentsWritten"),
    usage.used("bytesRead"),
  ]).toEqual([10, 1, 7]);
  usage.enter();
  usage.addWrite(5);
  usage.leave("committed");
  expect(usage.used("bytesWritten")).toBe(15);
});

test("a nested call's own limits bound what it uses itself, and can only be tighter", () => {
  const usage = new Usage();
  usage.add("documentsRead", 100);
  usage.enter({ documentsRead: 10 });
  usage.add("documentsRead", 10);
  expect(usage.metrics().documentsRead).toEqual({ used: 110, remaining: 0 });
  expect(() => usage.add("documentsRead", 1)).toThrow("Scanned too many documents");
  usage.leave("committed");
  usage.enter({ documentsRead: 1e9 });
  expect(usage.metrics().documentsRead.remaining).toBe(32_000 - 111);
});

test("the engine's own reads are not bounded", () => {
  const usage = new Usage("unbounded");
  usage.add("documentsRead", 1e6);
  expect(usage.used("documentsRead")).toBe(1e6);
});
