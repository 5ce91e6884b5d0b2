/**
 * Owns: the sheet of a link that shows one segment alone: the panels that are told of one, and a sentence on the others.
 * Not: what a link is told (convex/readers.ts), or any one panel.
 */
import type { FunctionReturnType } from "convex/server";
import { useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import { PanelBoundary } from "../../shared/PanelBoundary.tsx";
import { FailedPanel } from "../FailedPanel.tsx";
import { EventsPanel } from "../period/EventsPanel.tsx";
import {
  askedOf,
  DEVICE_PANEL,
  PAGE_TABS,
  PLACE_PANEL,
  reachOf,
  SOURCE_PANEL,
} from "../period/panels.ts";
import type { Tab } from "../period/panels.ts";
import { BreakdownOf, PanelFrame, PanelTabs, PeriodPanel } from "../period/PeriodPanel.tsx";
import type { PanelProps } from "../period/PeriodPanel.tsx";
import { PeriodSection } from "../period/PeriodSection.tsx";
import { usePeriod } from "../period/usePeriod.ts";
import { useReport } from "../period/useReport.ts";
import { WeekPanel } from "../period/WeekPanel.tsx";
import { SheetSkeleton } from "../SheetSkeleton.tsx";
import { Shortcuts } from "../Shortcuts.tsx";
import { texts } from "../texts.ts";
import { useServerNow } from "../useServerNow.ts";
import { SegmentAlone } from "./alone.ts";

type Shared = NonNullable<FunctionReturnType<typeof api.filters.shared>>;

function SegmentPages(panel: PanelProps) {
  const [name, show] = useState<Tab["name"]>("period");
  const tab = PAGE_TABS.find((one) => one.name === name);
  const tabs = PAGE_TABS.map((one) => ({ name: one.name, title: texts.period.tabs[one.name] }));
  return (
    <PanelFrame
      heading={texts.pages.heading}
      source="reports:breakdown"
      asked={askedOf(panel.reach, name)}
      tabs={<PanelTabs label={texts.pages.heading} tabs={tabs} shown={name} show={show} />}
    >
      {tab !== undefined && <BreakdownOf key={tab.name} tab={tab} {...panel} />}
    </PanelFrame>
  );
}

function SegmentPanels({ period, change, now }: Omit<PanelProps, "reach"> & { now: number }) {
  const { calendar } = period;
  const from = calendar.startOf("day", now);
  const today = { from, until: calendar.next("day", from) };
  const { report } = useReport(api.reports.summary, { range: today });
  const panel = { period, change, reach: reachOf(period, { viewsToday: report?.views ?? 0, now }) };
  return (
    <div className="sheet-panels">
      <SegmentPages {...panel} />
      <PeriodPanel panel={SOURCE_PANEL} {...panel} />
      <PeriodPanel panel={PLACE_PANEL} {...panel} />
      <PeriodPanel panel={DEVICE_PANEL} {...panel} />
      <WeekPanel {...panel} />
      <EventsPanel {...panel} />
    </div>
  );
}

function LiveSegment({ shared, isLive }: { shared: Shared; isLive: boolean }) {
  const { name, site, trackingSince } = shared;
  const now = useServerNow(null, isLive);
  const { period, change } = usePeriod(now, { timeZone: site.timeZone, trackingSince });
  return (
    <SegmentAlone value={true}>
      <div className="sheet-top">
        <h1>
          <bdi>{texts.segment.title(name, site.name)}</bdi>
        </h1>
        <p>{texts.zone(site.timeZone)}</p>
      </div>
      <PeriodSection period={period} change={change} now={now} site={site.slug} />
      <SegmentPanels period={period} change={change} now={now} />
      <Shortcuts period={period} change={change} />
      <section className="notice" aria-label={texts.segment.label}>
        <p className="notice-text">{texts.segment.alone}</p>
      </section>
    </SegmentAlone>
  );
}

function AskedSegment({ isLive }: { isLive: boolean }) {
  const { report: shared } = useReport(api.filters.shared, {});
  if (shared === undefined || shared === null) return <SheetSkeleton />;
  return <LiveSegment shared={shared} isLive={isLive} />;
}

export function SegmentSheet({ isLive }: { isLive: boolean }) {
  return (
    <PanelBoundary
      fallback={(error, retry) => (
        <section className="sheet-panel">
          <FailedPanel
            title={texts.failed.title}
            source="filters:shared"
            error={error}
            retry={retry}
          />
        </section>
      )}
    >
      <AskedSegment isLive={isLive} />
    </PanelBoundary>
  );
}
