/**
 * Owns: the order of one client's mutations: as sent, one after the other, over all its connections.
 * Not: what happens to a resend (the request key makes the application give the first result).
 *
 * A lane belongs to a session id, not to a connection: what arrived is run even when its connection is gone
 * (a page that closes), and what the client resends on a new connection stays behind it.
 *
 * A mutation begins when the one before it has run, not when that one is durable: so one client's mutations share a
 * flush. No two of a client stand in the executor's queue at once, so a client that sends many takes its turns like
 * one that sends few.
 */

import { MAX_ARGS_BYTES } from "../limits.ts";

/** `tail`: the last one that arrived has run. `waiting`: those that are not answered yet. */
type Lane = { tail: Promise<void>; waiting: number };

/** A tab that floods is told to back off long before its queue costs memory. */
export const MAX_WAITING_MUTATIONS = 2048;
/** UTF-16 units of arguments that wait, of all clients together: each may send a few of the largest mutations at once. */
export const MAX_WAITING_CHARACTERS = 16 * MAX_ARGS_BYTES;

export class MutationLanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #unanswered = new Set<Promise<void>>();
  #waitingCharacters = 0;

  /** Whether a mutation with arguments of this length may wait, too. */
  hasRoom(sessionId: string, characters: number): boolean {
    const { waiting } = this.#lanes.get(sessionId) ?? { waiting: 0 };
    if (waiting >= MAX_WAITING_MUTATIONS) return false;
    return this.#waitingCharacters + characters <= MAX_WAITING_CHARACTERS;
  }

  /** `run` calls `onRan` when the next one may begin, and resolves when it is answered. It must not reject: its own failure is its answer. */
  enqueue(sessionId: string, characters: number, run: (onRan: () => void) => Promise<void>): void {
    this.#waitingCharacters += characters;
    const lane = this.#lanes.get(sessionId) ?? { tail: Promise.resolve(), waiting: 0 };
    this.#lanes.set(sessionId, lane);
    lane.waiting += 1;
    const { promise: ran, resolve: onRan } = Promise.withResolvers<void>();
    const answered = lane.tail
      .then(() => run(onRan))
      .finally(() => {
        onRan();
        lane.waiting -= 1;
        this.#waitingCharacters -= characters;
        this.#unanswered.delete(answered);
        if (lane.waiting === 0) this.#lanes.delete(sessionId);
      });
    lane.tail = ran;
    this.#unanswered.add(answered);
  }

  /** Resolves when everything that arrived so far has been answered. */
  async idle(): Promise<void> {
    await Promise.all(this.#unanswered);
  }
}
