/** Owns: the figures of the period, their changes and their courses. Not: what a change is (change.ts). */
import type { ReactNode } from "react";
import { formatCount, formatShare } from "../formats.ts";
import { texts } from "../texts.ts";
import {
  changeOfCount,
  changeOfDuration,
  changeOfMean,
  changeOfShare,
  type Change,
  type Summary,
} from "./change.ts";
import { formatChange, formatMean, formatSpent } from "./figures.ts";
import { Sparkline } from "./Sparkline.tsx";
import type { Point } from "./trend.ts";
import type { Reports } from "./useReports.ts";

type Shown = {
  /** The figure's name in the summary, for tests and style sheets. */
  name: keyof typeof texts.period.figures;
  write: (summary: Summary) => string;
  change: (now: Summary, before: Summary) => Change;
  course: (point: Point) => number;
};

const count = (name: "views" | "visits" | "visitors"): Shown => ({
  name,
  write: (summary) => formatCount(summary[name]),
  change: (now, before) => changeOfCount(now[name], before[name]),
  course: (point) => point[name],
});

const perVisit = (value: number, visits: number) => (visits === 0 ? 0 : value / visits);

const FIGURES: readonly Shown[] = [
  count("views"),
  count("visits"),
  count("visitors"),
  {
    name: "viewsPerVisit",
    write: ({ viewsPerVisit, visits }) => formatMean(visits === 0 ? null : viewsPerVisit),
    change: (now, before) => changeOfMean(now.viewsPerVisit, before.viewsPerVisit),
    course: ({ views, visits }) => perVisit(views, visits),
  },
  {
    name: "bounceRatio",
    write: ({ bounceRatio, visits }) => formatShare(visits === 0 ? null : bounceRatio),
    change: (now, before) => changeOfShare(now.bounceRatio, before.bounceRatio),
    course: ({ bounces, visits }) => perVisit(bounces, visits),
  },
  {
    name: "averageVisitMs",
    write: ({ averageVisitMs, visits }) => formatSpent(visits === 0 ? null : averageVisitMs),
    change: (now, before) => changeOfDuration(now.averageVisitMs, before.averageVisitMs),
    course: ({ durationMs, visits }) => perVisit(durationMs, visits),
  },
];

function ChangeNote({ change }: { change: Change | null }): ReactNode {
  if (change === null) return <dd className="metric-note"> </dd>;
  const { mark, text, isWorse } = formatChange(change);
  return (
    <dd className="metric-note change" data-change={change.kind}>
      {mark !== "" && <span aria-hidden="true">{mark}</span>} {text}
      {isWorse && <span className="change-worse"> {texts.period.worse}</span>}
    </dd>
  );
}

export function PeriodMetrics({ reports, now }: { reports: Reports; now: number }) {
  const { summary, same, series } = reports;
  const finished = series.points.filter(({ endsAt }) => endsAt <= now);
  return (
    <dl className="period-metrics">
      {FIGURES.map(({ name, write, change, course }) => (
        <div className="metric" key={name} data-figure={name}>
          <dt title={texts.period.explained[name]}>{texts.period.figures[name]}</dt>
          <dd className="metric-value tabular">{write(summary)}</dd>
          <ChangeNote change={same === null ? null : change(same.current, same.before)} />
          <dd className="metric-course" aria-hidden="true">
            <Sparkline values={finished.map(course)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
