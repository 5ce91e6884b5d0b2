/** Owns: the panel that says how pages were read. Not: its rows (reading.ts). */
import { useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import { formatCount } from "../formats.ts";
import { texts } from "../texts.ts";
import type { Engagement } from "./engagement.ts";
import { askedOf } from "./panels.ts";
import { PanelFrame, PanelTabs } from "./PeriodPanel.tsx";
import type { PanelProps } from "./PeriodPanel.tsx";
import { knowsUse, onePageOf } from "./filtering.ts";
import { READING_TABS, readingRows } from "./reading.ts";
import type { ReadingTab } from "./reading.ts";
import { RowList } from "./RowList.tsx";
import { useReport } from "./useReport.ts";

const GREY_ROWS = 4;

function Reading({ period, reach, tab }: Omit<PanelProps, "change"> & { tab: ReadingTab }) {
  const page = onePageOf(period.asked.filter);
  const { from, until } = reach.range;
  const path = page === null ? {} : { path: page };
  const asked = { range: { from, until }, ...path };
  const { report, isOfBefore } = useReport(api.reports.engagement, asked);
  const rows = report === undefined ? undefined : readingRows(tab, report);
  if (report !== undefined && rows === undefined) return <HowToMeasure tab={tab} />;
  const { reading: words } = texts.period;
  return (
    <>
      <RowList
        caption={words.captions[tab]}
        columns={words.columns[tab]}
        rows={rows}
        greyRows={GREY_ROWS}
        isOfBefore={isOfBefore}
      />
      <p className="panel-foot tabular">{report !== undefined && footOf(tab, report)}</p>
    </>
  );
}

function footOf(tab: ReadingTab, { views, vitals }: Engagement): string {
  const most = Math.max(0, ...vitals.map((vital) => vital.views));
  const of = tab === "vitals" ? most : views;
  return texts.period.reading.foot[tab](formatCount(of));
}

function HowToMeasure({ tab }: { tab: ReadingTab }) {
  const { reading: words } = texts.period;
  return (
    <p className="panel-note">
      {words.missing} <code>{words.parts[tab]}</code>
    </p>
  );
}

export function ReadingPanel({ period, reach }: PanelProps) {
  const [tab, setTab] = useState<ReadingTab>("scroll");
  const { panels, reading: words } = texts.period;
  const tabs = READING_TABS.map((name) => ({ name, title: words.tabs[name] }));
  return (
    <PanelFrame
      heading={panels.reading}
      source="reports:engagement"
      asked={askedOf(reach, tab)}
      tabs={<PanelTabs label={panels.reading} tabs={tabs} shown={tab} show={setTab} />}
    >
      {knowsUse(period.asked.filter) ? (
        <Reading key={tab} tab={tab} period={period} reach={reach} />
      ) : (
        <p className="panel-note">{texts.period.filters.useUnknown}</p>
      )}
    </PanelFrame>
  );
}
