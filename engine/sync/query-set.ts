/**
 * Owns: which queries a session asked for, as whom, and their live handles.
 * Not: their results (answered.ts).
 */
import type { Caller, LiveQueries, LiveQuery } from "../application.ts";
import { MAX_ARGS_BYTES } from "../limits.ts";
import { ProtocolError } from "./protocol/fields.ts";
import {
  MAX_MODIFICATIONS,
  type AddQuery,
  type ModifyQuerySet,
} from "./protocol/modify-query-set.ts";

/** UTF-16 units of arguments and journals: a client that reconnects must get all its queries into one frame. */
export const MAX_ASKED_CHARACTERS = MAX_ARGS_BYTES;

type Asked = { readonly add: AddQuery; live: LiveQuery; stopListening: () => void };

/** What one evaluation is about: the versions that its Transition leads to, and the queries, in order. */
export type QuerySetSnapshot = {
  readonly version: number;
  readonly queryIds: readonly number[];
  readonly live: readonly LiveQuery[];
};

export class TooManyQueries extends Error {
  override name = "TooManyQueries";
}

export class QuerySet {
  readonly #liveQueries: LiveQueries;
  readonly #onStale: () => void;
  readonly #asked = new Map<number, Asked>();
  /** Handles that an evaluation may still be using; released between evaluations. */
  #retired: Asked[] = [];
  #retiredCharacters = 0;
  #waitingForRoom: (() => void)[] = [];
  #version = 0;
  #characters = 0;

  constructor(liveQueries: LiveQueries, onStale: () => void) {
    this.#liveQueries = liveQueries;
    this.#onStale = onStale;
  }

  get size(): number {
    return this.#asked.size;
  }

  /** Resolves when not too much waits to be released: queries that come and go during one long evaluation pile up. */
  roomForChange(): Promise<void> {
    const hasRoom =
      this.#retired.length <= MAX_MODIFICATIONS && this.#retiredCharacters <= MAX_ASKED_CHARACTERS;
    if (hasRoom) return Promise.resolve();
    return new Promise((resolve) => this.#waitingForRoom.push(resolve));
  }

  modify(change: ModifyQuerySet, caller: Caller): void {
    if (change.baseVersion !== this.#version) {
      throw new ProtocolError(
        `The query set is at version ${this.#version}, this change was made to version ${change.baseVersion}.`,
      );
    }
    for (const modification of change.modifications) {
      if (modification.type === "Remove") this.#remove(modification.queryId);
      else this.#add(modification, caller);
    }
    this.#version = change.newVersion;
  }

  /** The same queries, asked by somebody else. */
  actAs(caller: Caller): void {
    for (const [queryId, { add }] of [...this.#asked]) {
      this.#remove(queryId);
      this.#add(add, caller);
    }
  }

  snapshot(): QuerySetSnapshot {
    const live = [...this.#asked.values()].map((asked) => asked.live);
    return { version: this.#version, queryIds: [...this.#asked.keys()], live };
  }

  /** To be called while no evaluation runs. */
  releaseRetired(): void {
    const retired = this.#retired;
    this.#retired = [];
    this.#retiredCharacters = 0;
    for (const { live } of retired) live.release();
    for (const goOn of this.#waitingForRoom.splice(0)) goOn();
  }

  close(): void {
    for (const queryId of [...this.#asked.keys()]) this.#remove(queryId);
  }

  #add(add: AddQuery, caller: Caller): void {
    if (this.#asked.has(add.queryId))
      throw new ProtocolError(`Query ${add.queryId} is in the query set already.`);
    const characters = this.#characters + lengthOf(add);
    if (this.#asked.size >= MAX_MODIFICATIONS || characters > MAX_ASKED_CHARACTERS)
      throw new TooManyQueries();
    this.#characters = characters;
    const live = this.#liveQueries.open(add.target, add.argsJson, caller, add.journal);
    this.#asked.set(add.queryId, { add, live, stopListening: live.onStale(this.#onStale) });
  }

  #remove(queryId: number): void {
    const asked = this.#asked.get(queryId);
    if (asked === undefined) throw new ProtocolError(`Query ${queryId} is not in the query set.`);
    this.#asked.delete(queryId);
    this.#characters -= lengthOf(asked.add);
    asked.stopListening();
    this.#retired.push(asked);
    this.#retiredCharacters += lengthOf(asked.add);
  }
}

function lengthOf({ argsJson, journal }: AddQuery): number {
  return argsJson.length + (journal?.length ?? 0);
}
