/**
 * Owns: the trend: bars, the compared line, scale and ticks; the same as a table; and reading it by keyboard.
 * Not: its values (trend.ts).
 *
 * Elements instead of a canvas: at most a hundred bars, which follow the theme, print, zoom, and need no library.
 */
import { useId, useState } from "react";
import type { KeyboardEvent } from "react";
import { formatCount, formatTime } from "../formats.ts";
import { texts } from "../texts.ts";
import { bucketLabel, tickLabel } from "./labels.ts";
import { notesOf, spokenNotes } from "./notes.ts";
import type { Notes } from "./notes.ts";
import { TrendHead } from "./TrendHead.tsx";
import { TrendNotes } from "./TrendNotes.tsx";
import { TrendTable } from "./TrendTable.tsx";
import { barsOf, scaleOf, tickPlaces } from "./trend.ts";
import type { Bar, TrendFigure } from "./trend.ts";
import { useAnnotations } from "./useAnnotations.ts";
import type { ChangeAddress, Period } from "./usePeriod.ts";
import type { Reports } from "./useReports.ts";

const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(2)}%`;

type DrawnProps = { bars: readonly Bar[]; figure: TrendFigure; top: number; chosen: number | null };

function Bars({ bars, figure, top, chosen }: DrawnProps) {
  return (
    <div className="trend-bars">
      {bars.map((bar, place) => (
        <span key={bar.startsAt} className="trend-slot" data-chosen={place === chosen}>
          {(bar[figure] ?? 0) > 0 && (
            <span
              className="trend-bar"
              data-state={bar.state}
              style={{ height: percent(bar[figure] ?? 0, top) }}
            />
          )}
        </span>
      ))}
    </div>
  );
}

/** Dashed, over the whole compared time. */
function ComparedLine({ bars, top }: DrawnProps) {
  const points = bars.flatMap(({ before }, place) =>
    before === null ? [] : [`${place + 0.5},${(1 - before / top).toFixed(4)}`],
  );
  if (points.length < 2) return null;
  return (
    <svg
      className="trend-line"
      viewBox={`0 0 ${bars.length} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(" ")} />
    </svg>
  );
}

function Scale({ lines }: { lines: readonly number[] }) {
  const top = lines.at(-1) ?? 1;
  return (
    <div className="trend-scale" aria-hidden="true">
      {lines.map((line) => (
        <span key={line} className="tabular" style={{ bottom: percent(line, top) }}>
          {formatCount(line)}
        </span>
      ))}
    </div>
  );
}

type TicksProps = { bars: readonly Bar[]; figure: TrendFigure; period: Period; now: number };

/** Nearer than this share of the width, another label would collide with the one of the unfinished bar. */
const NOW_TAKES = 0.22;
/** The same where the page is narrow. */
const NOW_TAKES_NARROW = 0.4;

function Ticks({ bars, figure, period, now }: TicksProps) {
  const { unit, calendar } = period;
  const current = bars.findIndex((bar) => bar.state === "unfinished" && bar[figure] !== null);
  const side = current > bars.length / 2 ? "right" : "left";
  const fromSide = side === "right" ? bars.length - 1 - current : current;
  const isFree = (place: number, taken: number) =>
    current < 0 || Math.abs(current - place) / bars.length > taken;
  return (
    <div className="trend-ticks" aria-hidden="true">
      {current >= 0 && (
        <span className="trend-now tabular" style={{ [side]: percent(fromSide, bars.length) }}>
          {texts.period.trend.now(bars[current]?.[figure] ?? 0, formatTime(now, calendar))}
        </span>
      )}
      {tickPlaces(bars.length)
        .filter((place) => isFree(place, NOW_TAKES))
        .map((place) => (
          <span
            key={bars[place]?.startsAt}
            style={{ left: percent(place + 0.5, bars.length) }}
            data-first={place === 0}
            data-near-now={!isFree(place, NOW_TAKES_NARROW)}
          >
            {tickLabel(bars[place]?.startsAt ?? 0, unit, calendar)}
          </span>
        ))}
    </div>
  );
}

/** Arrow keys walk along the bars; what the chosen one says is spoken and shown. */
function useChosen(count: number) {
  const [chosen, setChosen] = useState<number | null>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setChosen(null);
    const from = chosen ?? count;
    const places: Readonly<Record<string, number>> = {
      ArrowLeft: from - 1,
      ArrowRight: chosen === null ? 0 : from + 1,
      Home: 0,
      End: count - 1,
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    setChosen(Math.max(0, Math.min(count - 1, place)));
  };
  return { chosen: chosen !== null && chosen < count ? chosen : null, setChosen, onKeyDown };
}

function readout(bar: Bar, figure: TrendFigure, period: Period): string {
  const when = bucketLabel(bar.startsAt, period.unit, period.calendar);
  const value = bar[figure];
  const { figures, trend } = texts.period;
  if (value === null) return trend.barNotMeasured(when, figures[figure]);
  const said = trend.bar(when, value, figures[figure]);
  const before = bar.before === null ? "" : trend.barBefore(bar.before);
  return `${said}${before}${bar.state === "unfinished" ? trend.notOver : ""}`;
}

function Plot({ bars, figure, period, now, notes }: TicksProps & { notes: Notes }) {
  const lines = scaleOf(bars.flatMap((bar) => [bar[figure] ?? 0, bar.before ?? 0]));
  const top = lines.at(-1) ?? 1;
  const { chosen, setChosen, onKeyDown } = useChosen(bars.length);
  const bar = chosen === null ? undefined : bars[chosen];
  const drawn = { bars, figure, top, chosen };
  const choose = (x: number, { left, width }: DOMRect) =>
    setChosen(
      Math.max(0, Math.min(bars.length - 1, Math.floor(((x - left) / width) * bars.length))),
    );
  return (
    <div className="trend-plot">
      <p className="trend-readout tabular" role="status">
        {bar === undefined ? "" : readout(bar, figure, period)}
        <span className="visually-hidden">
          {chosen === null ? "" : spokenNotes(notes.get(chosen), period.calendar)}
        </span>
      </p>
      <Scale lines={lines} />
      <div
        className="trend-area"
        role="group"
        tabIndex={0}
        aria-label={texts.period.trend.walk}
        onKeyDown={onKeyDown}
        onBlur={() => setChosen(null)}
        onPointerMove={(event) =>
          choose(event.clientX, event.currentTarget.getBoundingClientRect())
        }
        onPointerLeave={() => setChosen(null)}
      >
        {lines.map((line) => (
          <span key={line} className="trend-grid" style={{ bottom: percent(line, top) }} />
        ))}
        <Bars {...drawn} />
        <ComparedLine {...drawn} />
        <TrendNotes {...{ bars, notes, period, chosen, choose: setChosen }} />
      </div>
      <Ticks bars={bars} figure={figure} period={period} now={now} />
    </div>
  );
}

type Props = { reports: Reports; period: Period; now: number; change: ChangeAddress };

export function Trend({ reports, period, now, change }: Props) {
  const [figure, setFigure] = useState<TrendFigure>("views");
  const [isTable, setIsTable] = useState(false);
  const headingId = useId();
  const bars = barsOf(reports.series.points, reports.seriesBefore?.points ?? null, { figure, now });
  const { annotations, isFailed } = useAnnotations(period.span);
  const notes = notesOf(annotations, bars);
  const head = { period, figure, setFigure, isTable, setIsTable, change, headingId };
  return (
    <figure className="trend" aria-labelledby={headingId}>
      <TrendHead {...head} reports={reports} />
      {isTable ? (
        <TrendTable bars={bars} period={period} notes={notes} />
      ) : (
        <Plot bars={bars} figure={figure} period={period} now={now} notes={notes} />
      )}
      {isFailed && <p className="panel-note">{texts.period.annotations.failed}</p>}
    </figure>
  );
}
