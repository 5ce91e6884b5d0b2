/**
 * Owns: hits that wait for the network: kept in the browser in their order, sent one after the other, gone when taken.
 * Not: what a hit says (script.ts). A hit that is sent twice, also by two tabs at once, has one event id and counts once.
 */
import { REMEMBERED_EVENT_IDS } from "../../domain/limits.ts";
import { HITS_KEY, OPT_OUT_KEY } from "./keys.ts";
import type { KeptValues } from "./kept-storage.ts";

/**
 * UTF-16 units that may wait: some 40 hits. Where the server is never reached (a blocker) no more are kept: the oldest
 * go first, and what is left of one that is cut in two is no JSON, which the server refuses and the queue forgets.
 */
const MAX_WAITING_LENGTH = 20_000;

/** At this status and above the server has failed and the hit waits; below, it has been answered. */
const SERVER_ERROR = 500;

export type HitQueue = {
  /** Puts a hit (without a line break) behind those that wait, and sends them all. */
  add: (hit: string) => void;
  /** Sends what waits, as far as the network goes. */
  flush: () => void;
  /** The page goes away: what waits for its turn is sent at once, and again by the next page, which hears the answer. */
  release: () => void;
};

export type Post = (body: string) => Promise<{ readonly status: number }>;

export function createHitQueue({ read, write }: KeptValues, post: Post): HitQueue {
  let isFlushing = false;

  /** "" when nothing waits, or nothing may be sent any more. */
  const first = () => (read(OPT_OUT_KEY) ? "" : read(HITS_KEY).split("\n")[0]);

  // Without a network the hits wait: for the next view, for the network, or for the next page.
  async function drain() {
    const isTaken = (hit: string) =>
      post(hit).then(
        ({ status }) => status < SERVER_ERROR,
        () => false,
      );
    for (let hit; (hit = first()) && (await isTaken(hit));)
      write(HITS_KEY, read(HITS_KEY).replace(`${hit}\n`, ""));
    isFlushing = false;
  }

  function flush() {
    if (isFlushing) return;
    isFlushing = true;
    void drain();
  }

  return {
    add(hit) {
      write(HITS_KEY, `${read(HITS_KEY)}${hit}\n`.slice(-MAX_WAITING_LENGTH));
      flush();
    },
    flush,
    // No more than the server knows again.
    release() {
      if (!first()) return;
      const waiting = read(HITS_KEY).split("\n", REMEMBERED_EVENT_IDS);
      for (const hit of waiting.slice(+isFlushing)) if (hit) post(hit).catch(() => {});
    },
  };
}
