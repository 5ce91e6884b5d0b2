/**
 * Owns: whether rows of the log meet a filter, and whether the visit's view before them does.
 * Not: what a filter is (domain/filters/), what is counted (counting.ts).
 */
import { unpackValues } from "../../../domain/dimensions/packed.ts";
import type { ViewValues } from "../../../domain/dimensions/packed.ts";
import { asksPathsAlone, matcherOf } from "../../../domain/filters/filter.ts";
import type { Filter, Matchable } from "../../../domain/filters/filter.ts";
import { IN_NO_VISIT } from "../../../domain/rollups/visit.ts";
import type { Doc } from "../../_generated/dataModel.js";
import { isCountableEvent } from "../events/logged.ts";
import { isInSums } from "../rollups/logged.ts";
import { isCountable } from "../tally.ts";

export type Met = { isIn: boolean; wasIn: boolean };

const NOT_MET: Met = { isIn: false, wasIn: false };

export class Meeting {
  readonly #meets: (view: Matchable) => boolean;
  readonly #isOfPaths: boolean;
  /** Views of a visit have one text, and many visits the same. */
  readonly #unpacked = new Map<string, ViewValues>();

  constructor(filter: Filter) {
    this.#meets = matcherOf(filter);
    this.#isOfPaths = asksPathsAlone(filter);
  }

  ofView(row: Doc<"pageViews">): Met {
    if (!isInSums(row)) return NOT_MET;
    const values = this.#valuesOf(row);
    const { path, previousPath, visitSequence = IN_NO_VISIT } = row;
    const isIn = this.#meets({ path, values });
    const hasBefore = visitSequence > 1 && previousPath !== undefined;
    const wasIn = hasBefore && this.#meets({ path: previousPath, values });
    return (isIn || wasIn) && isCountable(row) ? { isIn, wasIn } : NOT_MET;
  }

  /** What is in no visit has no value but the path of its page: it meets conditions on that alone. */
  ofEvent(row: Doc<"events">): Met {
    if (!isCountableEvent(row)) return NOT_MET;
    const { path, previousPath, visitSequence = IN_NO_VISIT } = row;
    if (visitSequence === IN_NO_VISIT || previousPath === undefined) {
      return { isIn: this.#isOfPaths && this.#meets({ path, values: {} }), wasIn: false };
    }
    const values = this.#valuesOf(row);
    return {
      isIn: this.#meets({ path, values }),
      wasIn: this.#meets({ path: previousPath, values }),
    };
  }

  #valuesOf({ dimensions = "" }: { dimensions?: string | undefined }): ViewValues {
    const known = this.#unpacked.get(dimensions);
    if (known !== undefined) return known;
    const values = unpackValues(dimensions);
    this.#unpacked.set(dimensions, values);
    return values;
  }
}
