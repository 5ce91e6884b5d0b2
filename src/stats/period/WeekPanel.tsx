/** Owns: which hours of the week are busy; a table, so that every cell can be read. */
import { formatCount } from "../formats.ts";
import { texts } from "../texts.ts";
import { weekdayName } from "./labels.ts";
import { askedOf } from "./panels.ts";
import { PanelFrame } from "./PeriodPanel.tsx";
import type { PanelProps } from "./PeriodPanel.tsx";
import { useBreakdown } from "./useBreakdown.ts";
import { STEPS } from "./steps.ts";
import { DAYS_OF_THE_WEEK, HOURS, weekOf } from "./week.ts";

const CELLS_OF_A_WEEK = 7 * 24;
const LABELLED_EVERY = 3;

function Week({ period, reach }: PanelProps) {
  const { breakdown, isOfBefore } = useBreakdown({
    range: reach.range,
    dimension: "weekdayHour",
    rankBy: "views",
    limit: CELLS_OF_A_WEEK,
    filter: period.asked.filter,
  });
  const { cells, most } = weekOf(breakdown?.rows ?? []);
  const { week } = texts.period;
  return (
    <>
      <table
        className="week"
        aria-busy={breakdown === undefined || isOfBefore}
        data-of-before={isOfBefore}
      >
        <caption className="visually-hidden">{week.caption(period.calendar.timeZone)}</caption>
        <tbody>
          {DAYS_OF_THE_WEEK.map((weekday, row) => (
            <tr key={weekday}>
              <th scope="row">{weekdayName(weekday)}</th>
              {cells[row]?.map(({ hour, views, step }) => (
                <td
                  key={hour}
                  data-step={step}
                  title={week.cell(weekdayName(weekday), hour, views)}
                >
                  <span className="visually-hidden">{formatCount(views)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td />
            {HOURS.map((hour) => (
              <th key={hour} scope="col" data-labelled={hour % LABELLED_EVERY === 0}>
                {String(hour).padStart(2, "0")}
              </th>
            ))}
          </tr>
        </tfoot>
      </table>
      <p className="panel-foot tabular">
        <span className="week-legend">
          {week.least}{" "}
          {STEPS.map((step) => (
            <i key={step} data-step={step} />
          ))}{" "}
          {week.most(most)}
        </span>
      </p>
    </>
  );
}

export function WeekPanel(props: PanelProps) {
  return (
    <PanelFrame
      heading={texts.period.panels.week}
      source="reports:breakdown"
      asked={askedOf(props.reach)}
    >
      <Week {...props} />
    </PanelFrame>
  );
}
