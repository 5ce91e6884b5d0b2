import { expect, onTestFinished, test, vi } from "vitest";
import { manualClock } from "../clock.helpers.ts";
import { StorageError } from "../errors.ts";
import { createMemoryStorage } from "../storage/memory.ts";
import type { Storage } from "../storage/storage.ts";
import { Commits } from "./commits.ts";
import { Executor } from "./executor.ts";

type World = {
  commits: Commits;
  storage: Storage;
  flushes: () => number;
  breakDisk: (isBroken: boolean) => void;
  /** While set, the disk takes as long as this. */
  holdDisk: (until: Promise<void>) => void;
};

function world(clock = manualClock()): World {
  const storage = createMemoryStorage();
  let flushes = 0;
  let isBroken = false;
  let held: Promise<void> = Promise.resolve();
  const counted: Storage = {
    get: (key) => storage.get(key),
    range: (lo, hi, order) => storage.range(lo, hi, order),
    apply: (writes, pieces) => storage.apply(writes, pieces),
    piece: (file, number) => storage.piece(file, number),
    pieceNumbers: (file, limit) => storage.pieceNumbers(file, limit),
    flush() {
      flushes++;
      if (isBroken) throw new StorageError("not-durable", "disk full");
      storage.flush();
    },
    sync: () => held,
    discard: () => storage.discard(),
    snapshot: () => storage.snapshot(),
    close: () => storage.close(),
  };
  return {
    commits: new Commits(counted, clock, new Executor()),
    storage: counted,
    flushes: () => flushes,
    breakDisk: (broken) => {
      isBroken = broken;
    },
    holdDisk: (until) => {
      held = until;
    },
  };
}

test("commits that arrive together share flushes", async () => {
  const { commits, flushes } = world();
  const writes = Array.from({ length: 50 }, (_, i) => commits.transact((t) => t.put(`k${i}`, "v")));
  await Promise.all(writes);
  expect(flushes()).toBeLessThan(25);
});

test("a transaction that wrote nothing has the last commit's timestamp and needs no flush", async () => {
  const { commits, flushes } = world();
  await commits.transact((transaction) => transaction.put("k", "v"));
  const [before, flushesBefore] = [commits.lastTs, flushes()];
  await commits.transact((transaction) => transaction.peek("k"));
  expect([commits.lastTs, flushes()]).toEqual([before, flushesBefore]);
});

test("timestamps are epoch nanoseconds, grow, and are never given out twice, also when their commit was lost", async () => {
  const clock = manualClock();
  const { commits, storage, breakDisk } = world(clock);
  const given: bigint[] = [];
  const write = (): Promise<void> =>
    commits.transact((transaction) => {
      transaction.put("k", "v");
      transaction.onCommit((ts) => given.push(ts));
    });
  await write();
  expect(given[0]).toBe(BigInt(clock.now()) * 1_000_000n);
  breakDisk(true);
  await expect(write()).rejects.toThrow(/1 commits could not be written/);
  expect(commits.lastTs).toBe(given[0]);
  breakDisk(false);
  await write();
  expect(given).toEqual([given[0], (given[0] ?? 0n) + 1n, (given[0] ?? 0n) + 2n]);
  const reopened = new Commits(storage, clock, new Executor());
  expect(reopened.lastTs).toBe(given[2]);
});

test("listeners hear of a loss once, after the store has gone back", async () => {
  const { commits, storage, breakDisk } = world();
  await commits.transact((transaction) => transaction.put("k", "old"));
  const seen: (string | undefined)[] = [];
  commits.onLost(() => seen.push(storage.get("k")));
  breakDisk(true);
  await expect(commits.transact((transaction) => transaction.put("k", "new"))).rejects.toThrow(
    StorageError,
  );
  expect(seen).toEqual(["old"]);
});

test("the time inside a transaction is never behind the last commit", async () => {
  const clock = manualClock();
  const { commits } = world(clock);
  await commits.transact((transaction) => transaction.put("k", "v"));
  clock.jumpTo(clock.now() - 5000);
  const now = await commits.transact((transaction) => transaction.now);
  expect(now).toBe(clock.now() + 5000);
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
async function turns(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await turn();
}

test("a commit is acknowledged when it is on the disk; the next ones run meanwhile, and are flushed after it", async () => {
  const { commits, storage, flushes, holdDisk } = world();
  const disk = Promise.withResolvers<void>();
  holdDisk(disk.promise);
  const acknowledged: string[] = [];
  const write = (key: string): Promise<number> =>
    commits.transact((t) => t.put(key, "v")).then(() => acknowledged.push(key));
  const first = write("first");
  await turns();
  const later = ["second", "third"].map(write);
  await turns();
  expect(storage.get("third")).toBe("v");
  expect([acknowledged, flushes()]).toEqual([[], 1]);
  holdDisk(Promise.resolve());
  disk.resolve();
  await first;
  expect(acknowledged).toEqual(["first"]);
  await Promise.all(later);
  expect(acknowledged).toEqual(["first", "second", "third"]);
});

test("a group gathers while others wait for their turn, until it is old", async () => {
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => now.mockRestore());
  const { commits, flushes } = world();
  const seen: number[] = [];
  const write = (key: string, until = Promise.resolve()): Promise<void> =>
    commits.runDurably(async () => {
      seen.push(flushes());
      const transaction = commits.begin();
      transaction.put(key, "v");
      commits.commit(transaction);
      await until;
    });
  const [young, old] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writes = [write("a"), write("b", young.promise)];
  // The flush that the first has planned stands behind the second now, and the third behind that.
  await turns();
  writes.push(write("c", old.promise), write("d"));
  young.resolve();
  await turns();
  now.mockReturnValue(60);
  old.resolve();
  await Promise.all(writes);
  expect(seen).toEqual([0, 0, 0, 1]);
});

test("a read of what is on its way to the disk is answered when it is there", async () => {
  const { commits, holdDisk } = world();
  const disk = Promise.withResolvers<void>();
  holdDisk(disk.promise);
  void commits.transact((t) => t.put("k", "v"));
  await turns();
  let isAnswered = false;
  const read = commits
    .runDurably(() => commits.begin().peek("k"))
    .finally(() => {
      isAnswered = true;
    });
  await turns();
  expect(isAnswered).toBe(false);
  disk.resolve();
  expect(await read).toBe("v");
});

test("when the disk does not say whether it took a group, nobody is told yes, and no transaction begins any more", async () => {
  const { commits, holdDisk, flushes } = world();
  const disk = Promise.withResolvers<void>();
  holdDisk(disk.promise);
  const outcomes = [commits.transact((t) => t.put("k", "1"))];
  await turns();
  outcomes.push(commits.transact((t) => t.put("k", "2")));
  outcomes.push(commits.runDurably(() => undefined));
  await turns();
  disk.reject(new Error("EIO"));
  holdDisk(Promise.resolve());
  outcomes.push(commits.transact((t) => t.put("k", "3")));
  for (const outcome of await Promise.allSettled(outcomes)) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "unsynced" } });
  }
  expect(flushes()).toBe(1);
});
