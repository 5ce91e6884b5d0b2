/** Owns: the totals. Not: who is online (NowPanel.tsx). */
import type { ReactNode } from "react";
import { formatDay, formatTime } from "./formats.ts";
import { MeasuredNumber } from "./MeasuredNumber.tsx";
import { RollingNumber } from "./RollingNumber.tsx";
import type { Stats } from "./stats.ts";
import { texts } from "./texts.ts";

type MetricProps = {
  /** The field of getHeadline that is shown, for tests and style sheets. */
  stat: keyof Stats;
  label: string;
  note: string;
  isAtLeast?: boolean;
  isUnfinished?: boolean;
  children: ReactNode;
};

function Metric({ stat, label, note, isAtLeast, isUnfinished, children }: MetricProps) {
  return (
    <div className="metric">
      <dt>{label}</dt>
      <dd className="metric-value tabular" data-stat={stat}>
        {children}
      </dd>
      <dd className="metric-note" data-unfinished={isUnfinished === true}>
        {isAtLeast === true ? texts.metrics.atLeast : note}
      </dd>
    </div>
  );
}

function SinceMetric({ stats }: { stats: Stats }) {
  const since = stats.trackingSince;
  const { metrics } = texts;
  return (
    <Metric
      stat="trackingSince"
      label={metrics.since}
      note={since === null ? metrics.notYetNote : metrics.sinceNote(formatTime(since, stats.site))}
    >
      {since === null ? metrics.notYet : formatDay(since, stats.site)}
    </Metric>
  );
}

type Props = { stats: Stats; now: number; lostAt: number | null };

export function MetricsRow({ stats, now, lostAt }: Props) {
  const { metrics } = texts;
  const today =
    lostAt === null
      ? metrics.todayNote(formatTime(now, stats.site))
      : metrics.todayStale(formatTime(lostAt, stats.site));
  return (
    <section className="metrics" aria-label={metrics.label}>
      <dl>
        <Metric
          stat="totalPageViews"
          label={metrics.views}
          note={metrics.viewsNote}
          isAtLeast={stats.atLeast}
        >
          <RollingNumber value={stats.totalPageViews} />
        </Metric>
        <Metric
          stat="uniqueVisitors"
          label={metrics.visitors}
          note={metrics.visitorsNote[stats.visitorsAre]}
          isAtLeast={stats.atLeast}
        >
          <MeasuredNumber value={stats.uniqueVisitors} />
        </Metric>
        <Metric stat="viewsToday" label={metrics.today} note={today} isUnfinished>
          <RollingNumber value={stats.viewsToday} />
        </Metric>
        <Metric stat="publishedPosts" label={metrics.posts} note={metrics.published}>
          <RollingNumber value={stats.publishedPosts} />
        </Metric>
        <Metric stat="publishedPages" label={metrics.pages} note={metrics.published}>
          <RollingNumber value={stats.publishedPages} />
        </Metric>
        <SinceMetric stats={stats} />
      </dl>
    </section>
  );
}
