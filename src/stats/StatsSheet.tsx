/**
 * Owns: the sheet: what stands where, in which of its states.
 * Not: where the numbers come from (StatsPage.tsx), or any one panel.
 */
import type { Connection } from "../shared/connection.ts";
import { BackfillNotice } from "./BackfillNotice.tsx";
import { ConnectionStrip } from "./ConnectionStrip.tsx";
import { EmptyPanel } from "./EmptyPanel.tsx";
import { FailedPanel } from "./FailedPanel.tsx";
import { failureOf } from "./failures.ts";
import { PasswordPanel } from "./PasswordPanel.tsx";
import { HealthLines } from "./HealthLines.tsx";
import { MetricsRow } from "./MetricsRow.tsx";
import { NowPanels } from "./now/NowPanels.tsx";
import { NowPanel } from "./NowPanel.tsx";
import { OnPagePanel } from "./OnPagePanel.tsx";
import { PagesPanel } from "./PagesPanel.tsx";
import { EventsPanel } from "./period/EventsPanel.tsx";
import { LeftOutPanel } from "./period/LeftOutPanel.tsx";
import { DEVICE_PANEL, PLACE_PANEL, reachOf, SOURCE_PANEL } from "./period/panels.ts";
import { PeriodPanel } from "./period/PeriodPanel.tsx";
import { PeriodSection } from "./period/PeriodSection.tsx";
import { ReadingPanel } from "./period/ReadingPanel.tsx";
import { Shortcuts } from "./Shortcuts.tsx";
import { usePeriod } from "./period/usePeriod.ts";
import { WeekPanel } from "./period/WeekPanel.tsx";
import { SegmentSheet } from "./segment/SegmentSheet.tsx";
import { SheetSkeleton } from "./SheetSkeleton.tsx";
import type { Stats } from "./stats.ts";
import { texts } from "./texts.ts";
import { useAnnouncement } from "./useAnnouncement.ts";
import { useServerNow } from "./useServerNow.ts";
import type { KnownHealth } from "./useHealth.ts";
import type { Answer } from "./useStats.ts";
import { fullnessOf } from "./viewModel.ts";

type LiveSheetProps = { stats: Stats; health: KnownHealth | null; connection: Connection };

function LiveSheet({ stats, health, connection }: LiveSheetProps) {
  const isLive = connection.state === "live";
  const now = useServerNow(stats.settledAt, isLive);
  const lostAt = connection.state === "lost" ? connection.since : null;
  const spoken = useAnnouncement(texts.announce(stats.activeVisitors, stats.totalPageViews));
  const fullness = fullnessOf(stats);
  const { period, change } = usePeriod(now, {
    timeZone: stats.site.timeZone,
    trackingSince: stats.trackingSince,
  });
  const reach = reachOf(period, { viewsToday: stats.viewsToday, now });
  const panel = { period, change, reach };
  return (
    <>
      <div className="sheet-top">
        <h1>{texts.title(stats.site.name)}</h1>
        <p>{texts.zone(stats.site.timeZone)}</p>
      </div>
      <p className="visually-hidden" aria-live="polite" role="status">
        {spoken}
      </p>
      <BackfillNotice stats={stats} now={now} />
      <div className="sheet-grid">
        <div className="sheet-now">
          <NowPanel stats={stats} now={now} lostAt={lostAt} />
          <OnPagePanel stats={stats} />
        </div>
        <MetricsRow stats={stats} now={now} lostAt={lostAt} />
        <div className="sheet-period">
          {fullness === "counted" ? (
            <PeriodSection period={period} change={change} now={now} site={stats.site.slug} />
          ) : (
            <EmptyPanel stats={stats} isConnected={isLive} fullness={fullness} />
          )}
        </div>
      </div>
      {fullness === "counted" && <NowPanels stats={stats} now={now} calendar={period.calendar} />}
      <div className="sheet-panels">
        <PagesPanel stats={stats} {...panel} />
        {fullness === "counted" && (
          <>
            <PeriodPanel panel={SOURCE_PANEL} {...panel} />
            <PeriodPanel panel={PLACE_PANEL} {...panel} />
            <PeriodPanel panel={DEVICE_PANEL} {...panel} />
            <WeekPanel {...panel} />
            <LeftOutPanel now={now} site={stats.site} />
            <EventsPanel {...panel} />
            <ReadingPanel {...panel} />
          </>
        )}
      </div>
      <Shortcuts period={period} change={change} />
      {health !== null && <HealthLines health={health} site={stats.site} />}
    </>
  );
}

type SheetProps = { answer: Answer; health: KnownHealth | null; connection: Connection };

function SheetContent({ answer, health, connection }: SheetProps) {
  switch (answer.kind) {
    case "loading":
      return <SheetSkeleton />;
    case "failed":
      if (failureOf(answer.error).code === "not_of_segment") {
        return <SegmentSheet isLive={connection.state === "live"} />;
      }
      return (
        <>
          <div className="sheet-top">
            <h1>{texts.tabTitle}</h1>
          </div>
          <section className="sheet-panel">
            {failureOf(answer.error).code === "password_wanted" ? (
              <PasswordPanel />
            ) : (
              <FailedPanel
                title={texts.failed.title}
                source="stats:getHeadline, stats:getPanels"
                error={answer.error}
                retry={answer.retry}
              />
            )}
          </section>
        </>
      );
    case "ready":
      return <LiveSheet stats={answer.stats} health={health} connection={connection} />;
    default:
      return answer satisfies never;
  }
}

export function StatsSheet({ answer, health, connection }: SheetProps) {
  const zone = answer.kind === "ready" ? answer.stats.site : null;
  const isGone = connection.state === "lost" || connection.state === "unreachable";
  return (
    <div className="sheet" data-connection={isGone ? "lost" : connection.state}>
      <ConnectionStrip connection={connection} zone={zone} />
      <SheetContent answer={answer} health={health} connection={connection} />
    </div>
  );
}
