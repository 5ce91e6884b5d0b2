/**
 * Owns: how many were online in the course of today, drawn over the same weekday a week before; the same as a table; and
 * reading it by pointer and keyboard.
 * Not: its values (curve.ts).
 */
import { memo, useMemo, useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { weekBefore } from "../../../domain/online/slots.ts";
import { formatTime } from "../formats.ts";
import { bucketLabel } from "../period/labels.ts";
import { PanelFrame } from "../period/PeriodPanel.tsx";
import { scaleOf } from "../period/trend.ts";
import { useReport } from "../period/useReport.ts";
import type { Stats } from "../stats.ts";
import { texts } from "../texts.ts";
import { curveOf, mostOf, pointsOf } from "./curve.ts";
import type { Curve, CurveSlot } from "./curve.ts";
import { CurvePlot } from "./CurvePlot.tsx";
import { CurveTable } from "./CurveTable.tsx";

type Props = { stats: Stats; now: number; calendar: Calendar };

/** The day that is compared, as it is called: it is, whether anything was recorded or not. */
function nameOfDayBefore(now: number, calendar: Calendar): string {
  return bucketLabel(weekBefore(now, calendar), "day", calendar);
}

function sentenceOf(slots: readonly CurveSlot[], dayBefore: string, calendar: Calendar): string {
  const { curve } = texts;
  const at = (of: "today" | "before") => {
    const most = mostOf(slots, of);
    return most === null ? null : { count: most.count, time: formatTime(most.at, calendar) };
  };
  const isRecorded = slots.some(({ before }) => before !== null);
  const before = isRecorded
    ? curve.mostBefore(dayBefore, at("before"))
    : curve.notRecorded(dayBefore);
  return `${curve.mostToday(at("today"))} ${before}`;
}

type ShownProps = { curve: Curve; dayBefore: string; calendar: Calendar };

/** Drawn anew with what it shows, not with every second. */
const Shown = memo(function Shown({ curve, dayBefore, calendar }: ShownProps) {
  const [isTable, setIsTable] = useState(false);
  const { slots } = curve;
  const points = useMemo(() => pointsOf(curve), [curve]);
  const lines = scaleOf(slots.flatMap(({ today, before }) => [today ?? 0, before ?? 0]));
  const isCompared = slots.some(({ before }) => before !== null);
  return (
    <figure className="curve" aria-label={texts.curve.heading}>
      <div className="panel-head">
        <ul className="legend" aria-hidden="true">
          <li data-kind="current">{texts.curve.today}</li>
          {isCompared && <li data-kind="before">{dayBefore}</li>}
        </ul>
        <div className="choices">
          <button type="button" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            {texts.curve.hours}
          </button>
        </div>
      </div>
      <p className="trend-sentence">{sentenceOf(slots, dayBefore, calendar)}</p>
      {isTable ? (
        <CurveTable slots={slots} dayBefore={dayBefore} calendar={calendar} />
      ) : (
        <CurvePlot {...{ curve: points, lines, dayBefore, calendar }} />
      )}
    </figure>
  );
});

function Content({ stats, now, calendar }: Props) {
  const day = calendar.localTime(now).date;
  const { report } = useReport(api.now.onlineByTime, { day });
  const online = stats.activeVisitors ?? 0;
  // What is drawn changes with the slot, not with the second.
  const slotMs = report?.slotMs ?? 1;
  const slotNow = now - (now % slotMs);
  const slotSettled = Math.min(
    slotNow,
    (stats.settledAt ?? now) - ((stats.settledAt ?? now) % slotMs),
  );
  const curve = useMemo(() => {
    const live = { now: slotNow, online, settledAt: slotSettled };
    return report ? curveOf(report, live, calendar) : null;
  }, [report, slotNow, slotSettled, online, calendar]);
  if (report === null) return <p className="panel-none">{texts.onPage.notMeasured}</p>;
  if (curve === null) return <div className="curve-loading" aria-busy="true" />;
  return <Shown curve={curve} dayBefore={nameOfDayBefore(now, calendar)} calendar={calendar} />;
}

export function OnlineCurve(props: Props) {
  return (
    <PanelFrame heading={texts.curve.heading} source="now:onlineByTime" asked="">
      <Content {...props} />
    </PanelFrame>
  );
}
