/** Owns: how many are online, and the last half hour. Not: on which pages (OnPagePanel.tsx). */
import { formatTime } from "./formats.ts";
import { MeasuredNumber } from "./MeasuredNumber.tsx";
import { MinuteBars } from "./MinuteBars.tsx";
import { lastMinutes, type MinuteBar } from "./minutes.ts";
import { roomFor } from "./room.ts";
import type { Stats } from "./stats.ts";
import { texts } from "./texts.ts";

type Props = {
  stats: Stats;
  now: number;
  /** When the connection went, epoch ms; null while the numbers are live. */
  lostAt: number | null;
};

function besideTheNumber(stats: Stats, bars: readonly MinuteBar[], isLost: boolean): string[] {
  if (isLost) return [texts.online.lastKnown];
  if (stats.totalPageViews === 0) return [...texts.online.waiting];
  const recentViews = bars.reduce((sum, { views }) => sum + views, 0);
  return [whereThey(stats), texts.online.recentViews(recentViews)];
}

function whereThey({ activeVisitors, activePathsTotal }: Stats): string {
  if (activeVisitors === null) return texts.online.notMeasured;
  return activeVisitors === 0 ? texts.online.nobody : texts.online.onPages(activePathsTotal);
}

export function NowPanel({ stats, now, lostAt }: Props) {
  const bars = lastMinutes(stats.minutes, now);
  const isLost = lostAt !== null;
  return (
    <section className="now" aria-labelledby="now-heading">
      <h2 id="now-heading" className="now-heading">
        <span className={isLost ? "ring" : "dot"} aria-hidden="true" />
        {isLost ? texts.online.at(formatTime(lostAt, stats.site)) : texts.online.now}
      </h2>
      <div className="now-row" style={roomFor({ online: [stats.activeVisitors ?? 0] })}>
        <p className="now-number tabular" data-stat="activeVisitors">
          <MeasuredNumber value={stats.activeVisitors} />
        </p>
        <p className="now-beside">
          {besideTheNumber(stats, bars, isLost).map((line) => (
            <span key={line}>{line}</span>
          ))}
        </p>
      </div>
      <MinuteBars
        bars={bars}
        zone={stats.site}
        end={isLost ? formatTime(lostAt, stats.site) : texts.minutes.end}
      />
    </section>
  );
}
