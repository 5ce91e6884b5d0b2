/**
 * Owns: the thread that copies the write-ahead log into the database when it is told to, through a connection of its own.
 * Not: when (checkpoints.ts).
 *
 * It never keeps a writer waiting: it copies what is in the log when it begins, and what has come meanwhile with the
 * next round, until nothing has. It sleeps in between without an event loop, so it hears of its end at once.
 */
import { DatabaseSync } from "node:sqlite";
import { workerData } from "node:worker_threads";
import { CHECKPOINT_STATE, type CheckpointTask } from "./checkpoints.ts";

/** Each round has less to copy than the one before. Who writes without a pause waits for the next time. */
const MAX_ROUNDS = 8;

const { path, state } = workerData as CheckpointTask;
const database = new DatabaseSync(path);
database.exec("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0");
const copy = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");

for (;;) {
  Atomics.wait(state, 0, CHECKPOINT_STATE.idle);
  if (Atomics.load(state, 0) === CHECKPOINT_STATE.stop) break;
  copyAll();
  Atomics.compareExchange(state, 0, CHECKPOINT_STATE.wanted, CHECKPOINT_STATE.idle);
}
database.close();
Atomics.store(state, 0, CHECKPOINT_STATE.stopped);
Atomics.notify(state, 0);

function copyAll(): void {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (Atomics.load(state, 0) === CHECKPOINT_STATE.stop) return;
    const { busy, log, checkpointed } = copy.get() ?? {};
    if (busy !== 0 || log === checkpointed) return;
  }
}
