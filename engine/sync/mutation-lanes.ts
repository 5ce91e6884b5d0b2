/**
 * Owns: the order of one client's mutations: as sent, one after the other, over all its connections.
 * Not: what happens to a resend (the request key makes the application give the first result).
 *
 * A lane belongs to a session id, not to a connection: what arrived is run even when its connection is gone
 * (a page that closes), and what the client resends on a new connection stays behind it.
 */

type Lane = { tail: Promise<void>; waiting: number };

/** A tab that floods is told to back off long before its queue costs memory. */
export const MAX_WAITING_MUTATIONS = 2048;

export class MutationLanes {
  readonly #lanes = new Map<string, Lane>();

  /** How many mutations of this client have not finished. */
  waiting(sessionId: string): number {
    return this.#lanes.get(sessionId)?.waiting ?? 0;
  }

  /** `run` must not reject: its own failure is its answer. */
  enqueue(sessionId: string, run: () => Promise<void>): void {
    const lane = this.#lanes.get(sessionId) ?? { tail: Promise.resolve(), waiting: 0 };
    this.#lanes.set(sessionId, lane);
    lane.waiting += 1;
    lane.tail = lane.tail.then(run).finally(() => {
      lane.waiting -= 1;
      if (lane.waiting === 0) this.#lanes.delete(sessionId);
    });
  }

  /** Resolves when everything that arrived so far has been answered. */
  async idle(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.tail));
  }
}
