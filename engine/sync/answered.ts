/**
 * Owns: what a client has been told: the version of its view and the last result of each query.
 * Not: what it asked for (query-set.ts).
 */
import type { Caller, QueryResult } from "../application.ts";
import { errorMessageFor, logLinesFor, type Disclosure } from "../disclosure.ts";
import type { StateModification, StateVersion } from "./protocol/transition.ts";

/** One evaluation, ready to be told: `results` belong to `queryIds` by position. */
export type Evaluated = {
  readonly endVersion: StateVersion;
  readonly queryIds: readonly number[];
  readonly results: readonly QueryResult[];
};

export type Told = {
  readonly startVersion: StateVersion;
  readonly endVersion: StateVersion;
  readonly modifications: readonly StateModification[];
};

/** `evenWithoutNews`: the client waits for this time itself, not only for changes. */
export type Telling = {
  readonly caller: Caller;
  readonly disclosure: Disclosure;
  readonly evenWithoutNews: boolean;
};

export class Answered {
  #version: StateVersion = { querySet: 0, identity: 0, ts: 0n };
  #results = new Map<number, QueryResult>();

  /** The step from the last version to this one, remembered as told; null when there is nothing to tell. */
  advance(evaluated: Evaluated, telling: Telling): Told | null {
    const startVersion = this.#version;
    const before = this.#results;
    const now = new Map<number, QueryResult>();
    const modifications: StateModification[] = [];
    evaluated.queryIds.forEach((queryId, position) => {
      const result = evaluated.results[position];
      if (result === undefined)
        throw new Error(`The evaluation has no result for query ${queryId}.`);
      now.set(queryId, result);
      if (!isSame(before.get(queryId), result)) {
        modifications.push(modificationOf(queryId, result, telling));
      }
    });
    for (const queryId of before.keys()) {
      if (!now.has(queryId)) modifications.push({ type: "QueryRemoved", queryId });
    }
    this.#results = now;
    const { endVersion } = evaluated;
    const isNews =
      modifications.length > 0 ||
      endVersion.querySet !== startVersion.querySet ||
      endVersion.identity !== startVersion.identity;
    if (!isNews && !telling.evenWithoutNews) return null;
    this.#version = endVersion;
    return { startVersion, endVersion, modifications };
  }
}

/** A client that already has this value and journal learns nothing from getting them again. */
function isSame(told: QueryResult | undefined, result: QueryResult): boolean {
  if (told === undefined) return false;
  if (told === result) return true;
  return told.ok && result.ok && told.value === result.value && told.journal === result.journal;
}

function modificationOf(
  queryId: number,
  result: QueryResult,
  { caller, disclosure }: Telling,
): StateModification {
  const logLines = logLinesFor(result.logLines, caller, disclosure);
  if (result.ok) {
    return {
      type: "QueryUpdated",
      queryId,
      valueJson: result.value,
      logLines,
      journal: result.journal,
    };
  }
  const errorMessage = errorMessageFor(result, caller, disclosure);
  return { type: "QueryFailed", queryId, errorMessage, errorDataJson: result.data, logLines };
}
