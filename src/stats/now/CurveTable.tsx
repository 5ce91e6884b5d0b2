/** Owns: the curve of a day as a table, hour by hour. */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { formatTime } from "../formats.ts";
import { formatMeasured } from "../period/figures.ts";
import { texts } from "../texts.ts";
import { hoursOf } from "./curve.ts";
import type { CurveSlot } from "./curve.ts";

type Props = { slots: readonly CurveSlot[]; dayBefore: string; calendar: Calendar };

export function CurveTable({ slots, dayBefore, calendar }: Props) {
  const { curve, period } = texts;
  return (
    <div className="trend-table" tabIndex={0} role="region" aria-label={curve.byHour}>
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">{period.units.hour}</th>
            <th scope="col" className="number">
              {curve.today}
            </th>
            <th scope="col" className="number views-column">
              {dayBefore}
            </th>
          </tr>
        </thead>
        <tbody>
          {hoursOf(slots, calendar).map(({ startsAt, today, before }) => (
            <tr key={startsAt}>
              <th scope="row" className="tabular">
                {formatTime(startsAt, calendar)}
              </th>
              <td className="number strong">{formatMeasured(today)}</td>
              <td className="number">{formatMeasured(before)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
