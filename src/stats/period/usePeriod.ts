/** Owns: the period that the address asks for, as spans of time, and changing it. Not: the numbers (useReports.ts). */
import { useCallback, useMemo } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { calendarOf } from "../../../domain/calendar/calendar.ts";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { spanOf } from "../../../domain/calendar/periods.ts";
import type { Span } from "../../../domain/calendar/periods.ts";
import { isTimeZone } from "../../../domain/calendar/zones.ts";
import { changed, readAddress } from "./address.ts";
import type { Asked, SeriesUnit } from "./address.ts";
import { comparable, comparedSpan, daysInCommon } from "./span.ts";
import { unitFor } from "./trend.ts";

export type Period = {
  readonly asked: Asked;
  readonly calendar: Calendar;
  readonly span: Span;
  readonly compared: Span | null;
  /** The parts of both that may be compared. */
  readonly same: { readonly current: Span; readonly before: Span } | null;
  /** How many days of both, where one has fewer than the other. */
  readonly daysInCommon: number | null;
  readonly unit: SeriesUnit;
  /** Whether its last day is not over. */
  readonly isOpen: boolean;
};

/** `hour`: any instant of the current hour; what a period is changes no sooner. `since`: when counting began. */
export function periodOf(
  asked: Asked,
  { hour, since }: { hour: number; since: number },
  calendar: Calendar,
): Period {
  const span = spanOf(asked.period, { now: hour, since }, calendar);
  const how = { asked: asked.period, how: asked.compare };
  const before = comparedSpan(span, how, calendar);
  // Nothing was counted in it: that is no comparison. Of a part of it, the line shows that part.
  const compared = before !== null && before.until > since ? before : null;
  const isWhole = compared !== null && compared.from >= calendar.startOf("day", since);
  return {
    asked,
    calendar,
    span,
    compared,
    same: isWhole ? comparable(span, compared, hour, calendar) : null,
    daysInCommon: isWhole ? daysInCommon(span, compared, calendar) : null,
    unit: unitFor(span, asked.unit),
    isOpen: hour < span.until,
  };
}

export type ChangeAddress = (
  name: Parameters<typeof changed>[1],
  value: Parameters<typeof changed>[2],
) => void;

export function usePeriod(
  now: number,
  { timeZone, trackingSince }: { timeZone: string; trackingSince: number | null },
): { period: Period; change: ChangeAddress } {
  const [parameters] = useSearchParams();
  const calendar = useCalendar(timeZone);
  const hour = calendar.startOf("hour", now);
  const text = parameters.toString();
  const since = trackingSince ?? hour;
  const period = useMemo(
    () => periodOf(readAddress(new URLSearchParams(text)), { hour, since }, calendar),
    [text, hour, since, calendar],
  );
  return { period, change: useChange(text) };
}

/** The fragment stays: the reader's token may stand in it. */
function useChange(text: string): ChangeAddress {
  const navigate = useNavigate();
  return useCallback(
    (name, value) => {
      const search = `?${changed(new URLSearchParams(text), name, value).toString()}`;
      void navigate({ search, hash: window.location.hash }, { preventScrollReset: true });
    },
    [navigate, text],
  );
}

/** A zone that this browser does not know (an older one than the server's) falls back to UTC, as its times do. */
function useCalendar(timeZone: string): Calendar {
  return useMemo(() => calendarOf(isTimeZone(timeZone) ? timeZone : "UTC"), [timeZone]);
}
