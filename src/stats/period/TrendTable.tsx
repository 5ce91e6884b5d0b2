/** Owns: the trend as a table: every value in words. */
import { texts } from "../texts.ts";
import { formatMeasured } from "./figures.ts";
import { bucketLabel } from "./labels.ts";
import { TREND_FIGURES } from "./trend.ts";
import type { Bar } from "./trend.ts";
import type { Period } from "./usePeriod.ts";

export function TrendTable({ bars, period }: { bars: readonly Bar[]; period: Period }) {
  const { trend, figures, units } = texts.period;
  return (
    <div className="trend-table" tabIndex={0} role="region" aria-label={trend.table}>
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">{units[period.unit]}</th>
            {TREND_FIGURES.map((figure) => (
              <th key={figure} scope="col" className="number">
                {figures[figure]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars
            .filter(({ state }) => state !== "ahead")
            .map((bar) => (
              <tr key={bar.startsAt}>
                <th scope="row">
                  {bucketLabel(bar.startsAt, period.unit, period.calendar)}
                  {bar.state === "unfinished" && trend.notOver}
                </th>
                {TREND_FIGURES.map((figure) => (
                  <td key={figure} className="number">
                    {formatMeasured(bar[figure])}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
