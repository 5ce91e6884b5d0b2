/** Owns: the custom events of the period, and the properties of the one that is opened. Not: their rows (RowList.tsx). */
import { useMemo, useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import { PanelBoundary } from "../../shared/PanelBoundary.tsx";
import { FailedPanel } from "../FailedPanel.tsx";
import { texts } from "../texts.ts";
import { EventPropertyRows } from "./EventPropertyRows.tsx";
import { eventList } from "./listRows.ts";
import type { EventsReport, Reach } from "./panels.ts";
import { ALL_ROWS, FEW_ROWS, ListFoot, PanelFrame } from "./PeriodPanel.tsx";
import type { PanelProps } from "./PeriodPanel.tsx";
import { RowList } from "./RowList.tsx";
import type { Choosing } from "./RowList.tsx";
import { useReport } from "./useReport.ts";

/** One event is open at a time. */
function useOpened(reach: Reach): Choosing {
  const [opened, setOpened] = useState<string | null>(null);
  const { events } = texts.period;
  const isChosen = ({ key }: { key: string }) => key === opened;
  return {
    isChosen,
    choose: (row) => setOpened(isChosen(row) ? null : row.key),
    titleOf: (row) => (isChosen(row) ? events.close(row.label) : events.open(row.label)),
    below: (row) => <EventPropertyRows name={row.key} range={reach.range} />,
  };
}

type EventRowsProps = PanelProps & {
  report: EventsReport;
  isAll: boolean;
  setIsAll: (isAll: boolean) => void;
};

function EventRows({ report, period, reach, isAll, setIsAll }: EventRowsProps) {
  const choosing = useOpened(reach);
  const { events, visitorsAre } = texts.period;
  const { rows, rest } = eventList(report);
  return (
    <>
      <RowList
        caption={events.name}
        columns={[events.count, events.visitors]}
        rows={rows}
        rest={rest}
        greyRows={FEW_ROWS}
        choosing={choosing}
      />
      <ListFoot
        note={report.visitorsAre === "not measured" ? "" : visitorsAre[report.visitorsAre].list}
        total={report.namesTotal}
        {...{ period, reach, isAll, setIsAll }}
      />
    </>
  );
}

function Events(props: PanelProps) {
  const [isAll, setIsAll] = useState(false);
  const { from, until } = props.reach.range;
  const limit = isAll ? ALL_ROWS : FEW_ROWS;
  const asked = useMemo(() => ({ range: { from, until }, limit }), [from, until, limit]);
  const report = useReport(api.reports.events, asked);
  if (report === undefined || report.namesTotal === 0) return null;
  return (
    <PanelFrame heading={texts.period.panels.events}>
      <EventRows report={report} isAll={isAll} setIsAll={setIsAll} {...props} />
    </PanelFrame>
  );
}

/** Nothing, not even its heading, where the site has no event in the period. */
export function EventsPanel(props: PanelProps) {
  return (
    <PanelBoundary
      fallback={(error, retry) => (
        <section className="sheet-panel">
          <FailedPanel
            title={texts.failed.panel(texts.period.panels.events)}
            source="reports:events, reports:eventProperties"
            error={error}
            retry={retry}
          />
        </section>
      )}
    >
      <Events {...props} />
    </PanelBoundary>
  );
}
