/** Owns: the trend as a table: every value in words. */
import { Fragment } from "react";
import { texts } from "../texts.ts";
import { formatMeasured } from "./figures.ts";
import { bucketLabel } from "./labels.ts";
import { shownNote } from "./notes.ts";
import type { Annotation, Notes } from "./notes.ts";
import { TREND_FIGURES } from "./trend.ts";
import type { Bar } from "./trend.ts";
import type { Period } from "./usePeriod.ts";

type Props = { bars: readonly Bar[]; period: Period; notes: Notes };

/** Below the row of their bar, as wide as the table: on a phone a column would leave no room. */
function NotesRow({ notes, period }: { notes: readonly Annotation[]; period: Period }) {
  return (
    <tr className="notes-row">
      <td colSpan={TREND_FIGURES.length + 1}>
        {notes
          .map((note) => shownNote(note, period.calendar))
          .map(({ when, text }, place) => (
            <p key={place}>
              <span className="trend-note-when tabular">{when}</span> <bdi>{text}</bdi>
            </p>
          ))}
      </td>
    </tr>
  );
}

export function TrendTable({ bars, period, notes }: Props) {
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
            .map((bar, place) => ({ ...bar, notes: notes.get(place) ?? [] }))
            .filter((bar) => bar.state !== "ahead" || bar.notes.length > 0)
            .map((bar) => (
              <Fragment key={bar.startsAt}>
                <tr>
                  <th scope="row">
                    {bucketLabel(bar.startsAt, period.unit, period.calendar)}
                    {bar.state === "unfinished" && trend.notOver}
                  </th>
                  {TREND_FIGURES.map((figure) => (
                    <td key={figure} className="number">
                      {formatMeasured(bar.state === "ahead" ? null : bar[figure])}
                    </td>
                  ))}
                </tr>
                {bar.notes.length > 0 && <NotesRow notes={bar.notes} period={period} />}
              </Fragment>
            ))}
        </tbody>
      </table>
    </div>
  );
}
