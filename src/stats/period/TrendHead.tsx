/** Owns: the trend's heading, legend, switches, and the sentence that says it in words. */
import { formatDays } from "../formats.ts";
import { texts } from "../texts.ts";
import { changesOf } from "./metrics.ts";
import { formatChange } from "./figures.ts";
import { TREND_FIGURES, unitsOf } from "./trend.ts";
import type { TrendFigure } from "./trend.ts";
import type { ChangeAddress, Period } from "./usePeriod.ts";
import type { Reports } from "./useReports.ts";

type Props = {
  period: Period;
  reports: Reports;
  figure: TrendFigure;
  setFigure: (figure: TrendFigure) => void;
  isTable: boolean;
  setIsTable: (isTable: boolean) => void;
  change: ChangeAddress;
  headingId: string;
};

/** What the bars say, for whoever does not see them, and for whoever does. */
function sentenceOf({ period, reports, figure }: Props): string {
  const { trend, figures } = texts.period;
  const name = figures[figure].toLowerCase();
  const total = reports.summary[figure];
  if (total === null) return trend.notMeasured(figures[figure]);
  if (reports.same === null) return trend.sentence(total, name);
  const { current, before } = reports.same;
  const change = changesOf(reports.same)[figure];
  if (change === null) return trend.sentence(total, name);
  const until = period.isOpen ? current.until : null;
  return trend.compared({
    change: change.kind,
    by: formatChange(change).text,
    isMore: (current[figure] ?? 0) > (before[figure] ?? 0),
    name,
    days: period.compared === null ? "" : formatDays(period.compared, period.calendar),
    until: until === null ? null : { at: until, timeZone: period.calendar.timeZone },
  });
}

/** Of two times that are not as long. */
function lengthsOf({ daysInCommon }: Period): string {
  return daysInCommon === null ? "" : ` ${texts.period.trend.daysInCommon(daysInCommon)}`;
}

function Legend({ period }: { period: Period }) {
  const { trend } = texts.period;
  return (
    <ul className="legend" aria-hidden="true">
      <li data-kind="current">{formatDays(period.span, period.calendar)}</li>
      {period.compared !== null && (
        <li data-kind="before">{formatDays(period.compared, period.calendar)}</li>
      )}
      {period.isOpen && <li data-kind="unfinished">{trend.unfinished}</li>}
    </ul>
  );
}

export function TrendHead(props: Props) {
  const { period, figure, setFigure, isTable, setIsTable, change, headingId } = props;
  const { trend, figures, units } = texts.period;
  return (
    <>
      <div className="trend-head">
        <h2 id={headingId}>{trend.heading(figures[figure], units[period.unit].toLowerCase())}</h2>
        <Legend period={period} />
        <div className="choices" role="group" aria-label={trend.figure}>
          {TREND_FIGURES.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === figure}
              onClick={() => setFigure(one)}
            >
              {figures[one]}
            </button>
          ))}
        </div>
        <div className="choices" role="group" aria-label={trend.unit}>
          {unitsOf(period.span).map((unit) => (
            <button
              key={unit}
              type="button"
              aria-pressed={unit === period.unit}
              onClick={() => change("by", unit)}
            >
              {units[unit]}
            </button>
          ))}
          <button type="button" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
            {trend.table}
          </button>
        </div>
      </div>
      <p className="trend-sentence">
        {sentenceOf(props)}
        {lengthsOf(period)}
      </p>
    </>
  );
}
