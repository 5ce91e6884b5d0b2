/** Owns: the figures of the period, their changes and their courses, on screen. Not: what they are (metrics.ts). */
import type { Change } from "./change.ts";
import { engagedMetric } from "./engagement.ts";
import type { EngagedTimes } from "./engagement.ts";
import { formatChange } from "./figures.ts";
import { texts } from "../texts.ts";
import { changesOf, FIGURE_NAMES, metricOf, type Metric } from "./metrics.ts";
import { Sparkline } from "./Sparkline.tsx";
import type { Reports } from "./useReports.ts";

function ChangeNote({ change, note }: { change: Change | null; note: string }) {
  if (change === null) return <dd className="metric-note">{note === "" ? " " : note}</dd>;
  const { mark, text, isWorse } = formatChange(change);
  return (
    <dd className="metric-note change" data-change={change.kind}>
      {mark !== "" && <span aria-hidden="true">{mark}</span>} {text}
      {isWorse && <span className="change-worse"> {texts.period.worse}</span>}
    </dd>
  );
}

type Props = { name: string; metric: Metric; change: Change | null };

function PeriodMetric({ name, metric, change }: Props) {
  return (
    <div className="metric" data-figure={name}>
      <dt title={metric.explained}>{metric.label}</dt>
      <dd className="metric-value tabular">{metric.value}</dd>
      <ChangeNote change={change} note={metric.note} />
      <dd className="metric-course" aria-hidden="true">
        <Sparkline values={metric.course} />
      </dd>
    </div>
  );
}

type AllProps = { reports: Reports; engaged: EngagedTimes | null; now: number };

export function PeriodMetrics({ reports, engaged, now }: AllProps) {
  const { summary, same, series } = reports;
  const finished = series.points.filter(({ endsAt }) => endsAt <= now);
  const changes = same === null ? null : changesOf(same);
  return (
    <dl className="period-metrics">
      {FIGURE_NAMES.map((name) => (
        <PeriodMetric
          key={name}
          name={name}
          metric={metricOf(name, summary, finished)}
          change={changes?.[name] ?? null}
        />
      ))}
      {engaged !== null && <PeriodMetric name="averageEngagedMs" {...engagedMetric(engaged)} />}
    </dl>
  );
}
