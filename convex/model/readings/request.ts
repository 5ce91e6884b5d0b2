/**
 * Owns: what a request to `GET /v1/stats/<report>` asks, from its address.
 * Not: the answer (readings.ts), and who may have it (model/access.ts).
 */
import { DEFAULT_PERIOD, writePeriod } from "../../../domain/calendar/periods.ts";
import { FILTER_DIMENSIONS, FILTER_OPERATORS } from "../../../domain/filters/filter.ts";
import type { Condition } from "../../../domain/filters/filter.ts";
import { parseFilter } from "../../../domain/filters/text.ts";
import { MAX_FILTER_CONDITIONS } from "../../../domain/limits.ts";
import { DIMENSION_NAMES } from "../../../domain/rollups/dimension.ts";
import { callerError, quoted } from "../../errors.ts";
import { rankEngagedBy } from "../engagement/shapes.ts";
import { rankBy, seriesUnit } from "../reports/shapes.ts";
import type { ReportDimension } from "../reports/shapes.ts";
import type { Reading } from "./shapes.ts";

const READING_NAMES = [
  "now",
  "summary",
  "timeseries",
  "breakdown",
  "events",
  "eventProperties",
  "engagement",
  "engagedPaths",
] as const satisfies readonly Reading["report"][];

const ASKED_DIMENSIONS: readonly ReportDimension[] = DIMENSION_NAMES.filter(
  (name): name is ReportDimension => name !== "eventProperty",
);
const ASKED_UNITS = seriesUnit.members.map(({ value }) => value);
const RANKS = rankBy.members.map(({ value }) => value);
const ENGAGED_RANKS = rankEngagedBy.members.map(({ value }) => value);

/** Throws `invalid_question` for a report that there is not, and for parameters that are not those of it. */
export function readingOf(name: string, parameters: URLSearchParams): Reading {
  const report = oneOf("The report", READING_NAMES, name);
  const take = takerOf(parameters);
  const asked = questionOf(report, take);
  const [unknown] = take.rest();
  if (unknown === undefined) return asked;
  throw callerError("invalid_question", `${report} has no parameter ${quoted(unknown)}.`);
}

type Taker = ReturnType<typeof takerOf>;

/** Each parameter is taken once; what nobody takes is none of the report's. */
function takerOf(parameters: URLSearchParams) {
  const left = new Set(parameters.keys());
  left.delete("site");
  const text = (name: string): string | undefined => {
    left.delete(name);
    return parameters.get(name) ?? undefined;
  };
  return {
    text,
    choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
      const said = text(name);
      return said === undefined ? undefined : oneOf(quoted(name), choices, said);
    },
    number(name: string): number | undefined {
      const said = text(name);
      if (said === undefined) return undefined;
      const number = Number(said);
      if (said.trim() !== "" && Number.isFinite(number)) return number;
      throw callerError("invalid_question", `${quoted(name)} is ${quoted(said)}, no number.`);
    },
    required(name: string, what: string): string {
      const said = text(name);
      if (said !== undefined) return said;
      throw callerError("invalid_question", `${quoted(name)} is missing: ${what}.`);
    },
    rest: () => [...left],
  };
}

function questionOf(report: Reading["report"], take: Taker): Reading {
  if (report === "now") return { report };
  const period = take.text("period") ?? writePeriod(DEFAULT_PERIOD);
  switch (report) {
    case "summary":
      return { report, period, only: onlyOf(take), ...filterOf(take) };
    case "timeseries":
      return {
        ...{ report, period, only: onlyOf(take), ...filterOf(take) },
        unit: take.choice("unit", ASKED_UNITS),
      };
    case "breakdown": {
      const wanted = take.required("dimension", `one of ${ASKED_DIMENSIONS.join(", ")}`);
      const dimension = oneOf('"dimension"', ASKED_DIMENSIONS, wanted);
      return {
        ...{ report, period, dimension, ...filterOf(take), ...limitOf(take) },
        rankBy: take.choice("rankBy", RANKS),
      };
    }
    case "events":
      return { report, period, ...filterOf(take), ...limitOf(take) };
    case "eventProperties":
      return {
        ...{ report, period, ...filterOf(take), ...limitOf(take) },
        name: take.required("name", "of the event"),
      };
    case "engagement":
      return { report, period, path: take.text("path") };
    case "engagedPaths":
      return { report, period, rankBy: take.choice("rankBy", ENGAGED_RANKS), ...limitOf(take) };
  }
  return report satisfies never;
}

function limitOf(take: Taker): { limit: number | undefined } {
  return { limit: take.number("limit") };
}

/** As the address of /stats has it. */
function filterOf(take: Taker): { filter: Condition[] | undefined } {
  const said = take.text("filter");
  if (said === undefined) return { filter: undefined };
  const filter = parseFilter(said);
  if (filter !== null) return { filter };
  throw callerError(
    "invalid_filter",
    `"filter" is ${quoted(said)}; wanted conditions such as country:is:DE|AT;path:matches:/blog/*, at most ${MAX_FILTER_CONDITIONS} of ${FILTER_DIMENSIONS.join(", ")}, with ${FILTER_OPERATORS.join(", ")}.`,
  );
}

/** `only=country:PT`, as the address of /stats has it. */
function onlyOf(take: Taker): { dimension: ReportDimension; value: string } | undefined {
  const said = take.text("only");
  if (said === undefined) return undefined;
  const colon = said.indexOf(":");
  const dimension = said.slice(0, Math.max(0, colon));
  return {
    dimension: oneOf('The dimension of "only"', ASKED_DIMENSIONS, dimension),
    value: said.slice(colon + 1),
  };
}

function oneOf<T extends string>(what: string, choices: readonly T[], said: string): T {
  const found = choices.find((one) => one === said);
  if (found !== undefined) return found;
  const message = `${what} is ${quoted(said)}; wanted one of ${choices.join(", ")}.`;
  throw callerError("invalid_question", message);
}
