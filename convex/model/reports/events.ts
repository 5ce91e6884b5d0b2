/**
 * Owns: the reports about custom events: their names in a range, and the properties of one.
 * Not: the arithmetic (domain/rollups/), or which roll-ups are read (reading.ts).
 */
import type { Filter } from "../../../domain/filters/filter.ts";
import { eventName } from "../../../domain/events.ts";
import { propertiesOf } from "../../../domain/rollups/event-report.ts";
import { breakdown } from "../../../domain/rollups/report.ts";
import type { QueryCtx } from "../../_generated/server.js";
import { asMeasured } from "./measured.ts";
import { readFilteredScope } from "./range.ts";
import { readScopeRollups } from "./reading.ts";
import { coveredBy, rowsWithin } from "./reports.ts";
import type { EventPropertiesReport, EventsReport, ReportRange } from "./shapes.ts";

type Asked = { site?: string; range: ReportRange; filter?: Filter; limit?: number };

const figuresOf = ({ events, visitors }: { events: number; visitors: number }) => ({
  events,
  visitors,
});

export async function eventNames(ctx: QueryCtx, args: Asked): Promise<EventsReport> {
  const scope = await readFilteredScope(ctx, args);
  const rollups = await readScopeRollups(ctx, scope, new Set(["event"]));
  const { rows, rest, valuesTotal, complete } = breakdown(
    rollups,
    { dimension: "event", from: scope.from, rankBy: "events", maxRows: rowsWithin(args.limit) },
    scope.calendar,
  );
  const covered = coveredBy(scope);
  const given = (figures: { events: number; visitors: number }) =>
    asMeasured(figuresOf(figures), covered.visitorsAre);
  return {
    ...covered,
    rows: rows.map(({ value: name, ...figures }) => ({ name, ...given(figures) })),
    rest: rest === null ? null : given(rest),
    namesTotal: valuesTotal,
    complete,
  };
}

/** `name` is cut as that of an event is, so that who sent it finds it. */
export async function eventProperties(
  ctx: QueryCtx,
  args: Asked & { name: string },
): Promise<EventPropertiesReport> {
  const scope = await readFilteredScope(ctx, args);
  const rollups = await readScopeRollups(ctx, scope, new Set(["eventProperty"]));
  const name = eventName(args.name);
  const report = propertiesOf(rollups, { name, maxValues: rowsWithin(args.limit) });
  return { ...coveredBy(scope), name, ...report };
}
