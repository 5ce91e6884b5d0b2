/** Owns: the custom events of the period, and the properties of the one that is opened. Not: their rows (RowList.tsx). */
import { useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import { MAX_REPORT_ROWS } from "../../../domain/limits.ts";
import { PanelBoundary } from "../../shared/PanelBoundary.tsx";
import { FailedPanel } from "../FailedPanel.tsx";
import { texts } from "../texts.ts";
import { EventPropertyRows } from "./EventPropertyRows.tsx";
import { eventList } from "./listRows.ts";
import { askedOf } from "./panels.ts";
import type { EventsReport, Reach } from "./panels.ts";
import { FEW_ROWS, ListFoot, PanelFrame } from "./PeriodPanel.tsx";
import type { PanelProps } from "./PeriodPanel.tsx";
import { RowList } from "./RowList.tsx";
import type { Choosing } from "./RowList.tsx";
import { useReport } from "./useReport.ts";

const EVENT_FUNCTIONS = "reports:events, reports:eventProperties";

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
  isOfBefore: boolean;
  isAll: boolean;
  setIsAll: (isAll: boolean) => void;
};

function EventRows({ report, isOfBefore, period, reach, isAll, setIsAll }: EventRowsProps) {
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
        isOfBefore={isOfBefore}
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
  const limit = isAll ? MAX_REPORT_ROWS : FEW_ROWS;
  const { report, isOfBefore } = useReport(api.reports.events, { range: { from, until }, limit });
  if (report === undefined || report.namesTotal === 0) return null;
  return (
    <PanelFrame
      heading={texts.period.panels.events}
      source={EVENT_FUNCTIONS}
      asked={askedOf(props.reach)}
    >
      <EventRows
        report={report}
        isOfBefore={isOfBefore}
        isAll={isAll}
        setIsAll={setIsAll}
        {...props}
      />
    </PanelFrame>
  );
}

/** Nothing, not even its heading, where the site has no event in the period. */
export function EventsPanel(props: PanelProps) {
  return (
    <PanelBoundary
      resetOn={askedOf(props.reach)}
      fallback={(error, retry) => (
        <section className="sheet-panel">
          <FailedPanel
            title={texts.failed.panel(texts.period.panels.events)}
            source={EVENT_FUNCTIONS}
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
