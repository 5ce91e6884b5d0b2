/** Owns: the custom events of the period, and the properties of the one that is opened. Not: their rows (RowList.tsx). */
import { useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import { MAX_REPORT_ROWS } from "../../../domain/limits.ts";
import { PanelBoundary } from "../../shared/PanelBoundary.tsx";
import { FailedPanel } from "../FailedPanel.tsx";
import { texts } from "../texts.ts";
import { AllRows } from "./AllRows.tsx";
import { EventPropertyRows } from "./EventPropertyRows.tsx";
import { filterArgument } from "./filtering.ts";
import { eventList } from "./listRows.ts";
import { askedOf, FEW_ROWS } from "./panels.ts";
import type { EventsReport, Reach } from "./panels.ts";
import { ListFoot, PanelFrame } from "./PeriodPanel.tsx";
import type { PanelProps } from "./PeriodPanel.tsx";
import { RowList } from "./RowList.tsx";
import type { Choosing } from "./RowList.tsx";
import type { Period } from "./usePeriod.ts";
import { useReport } from "./useReport.ts";

const EVENT_FUNCTIONS = "reports:events, reports:eventProperties";

/** One event is open at a time. */
function useOpened(period: Period, reach: Reach): Choosing {
  const [opened, setOpened] = useState<string | null>(null);
  const { events } = texts.period;
  const isChosen = ({ key }: { key: string }) => key === opened;
  return {
    isChosen,
    choose: (row) => setOpened(isChosen(row) ? null : row.key),
    titleOf: (row) => (isChosen(row) ? events.close(row.label) : events.open(row.label)),
    below: (row) => (
      <EventPropertyRows name={row.key} range={reach.range} filter={period.asked.filter} />
    ),
  };
}

const EVENT_COLUMNS = [texts.period.events.count, texts.period.events.visitors] as const;

function AllEvents({ period, reach }: Pick<PanelProps, "period" | "reach">) {
  const choosing = useOpened(period, reach);
  const { from, until } = reach.range;
  const filter = filterArgument(period.asked.filter);
  const asked = { range: { from, until }, limit: MAX_REPORT_ROWS, ...filter };
  const { report, isOfBefore } = useReport(api.reports.events, asked);
  return (
    <AllRows
      caption={texts.period.events.name}
      columns={EVENT_COLUMNS}
      list={report && eventList(report)}
      isOfBefore={isOfBefore}
      choosing={choosing}
    />
  );
}

type EventRowsProps = PanelProps & { report: EventsReport; isOfBefore: boolean };

function EventRows({ report, isOfBefore, period, reach }: EventRowsProps) {
  const choosing = useOpened(period, reach);
  const { events, visitorsAre, allList } = texts.period;
  const { rows, rest } = eventList(report);
  return (
    <>
      <RowList
        caption={events.name}
        columns={EVENT_COLUMNS}
        rows={rows}
        rest={rest}
        greyRows={FEW_ROWS}
        choosing={choosing}
        isOfBefore={isOfBefore}
      />
      <ListFoot
        note={report.visitorsAre === "not measured" ? "" : visitorsAre[report.visitorsAre].list}
        total={report.namesTotal}
        heading={allList.heading(events.name)}
        {...{ period, reach }}
      >
        {() => <AllEvents period={period} reach={reach} />}
      </ListFoot>
    </>
  );
}

function Events(props: PanelProps) {
  const { from, until } = props.reach.range;
  const filter = filterArgument(props.period.asked.filter);
  const asked = { range: { from, until }, limit: FEW_ROWS, ...filter };
  const { report, isOfBefore } = useReport(api.reports.events, asked);
  if (report === undefined || report.namesTotal === 0) return null;
  return (
    <PanelFrame
      heading={texts.period.panels.events}
      source={EVENT_FUNCTIONS}
      asked={askedOf(props.reach)}
    >
      <EventRows report={report} isOfBefore={isOfBefore} {...props} />
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
