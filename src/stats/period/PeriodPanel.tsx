/** Owns: one panel of breakdowns: its heading, its tabs, and how many rows. Not: the rows (BreakdownTable.tsx). */
import { useId, useState } from "react";
import type { ReactNode } from "react";
import { MAX_REPORT_ROWS } from "../../../domain/limits.ts";
import { PanelBoundary } from "../../shared/PanelBoundary.tsx";
import { FailedPanel } from "../FailedPanel.tsx";
import { formatTime } from "../formats.ts";
import { texts } from "../texts.ts";
import type { Filter } from "../../../domain/filters/filter.ts";
import { writeFilter } from "./address.ts";
import { DialogButton } from "./AllDialog.tsx";
import { AllOfBreakdown } from "./AllOfBreakdown.tsx";
import { BreakdownTable, choosingValue } from "./BreakdownTable.tsx";
import { CountryMap } from "./CountryMap.tsx";
import { firstOf } from "./listRows.ts";
import { askedOf, FEW_ROWS, isCountedByVisitor } from "./panels.ts";
import type { Breakdown, Panel, Reach, Tab } from "./panels.ts";
import { useBreakdown } from "./useBreakdown.ts";
import type { ChangeAddress, Period } from "./usePeriod.ts";

export type PanelProps = { period: Period; reach: Reach; change: ChangeAddress };

type FootProps = Pick<PanelProps, "period" | "reach"> & {
  note: string;
  total: number;
  /** Of the window with all rows. */
  heading: string;
  /** All rows. */
  children: (close: () => void) => ReactNode;
};

/** What is to be known of a list, up to when it reaches, and all its rows. */
export function ListFoot({ note, period, reach, total, heading, children }: FootProps) {
  return (
    <p className="panel-foot tabular">
      <span>
        {note}
        {reach.isToLastHour &&
          ` ${texts.period.toHour(formatTime(reach.range.until, period.calendar))}`}
      </span>
      {total > FEW_ROWS && (
        <DialogButton label={texts.period.all(Math.min(total, MAX_REPORT_ROWS))} heading={heading}>
          {children}
        </DialogButton>
      )}
    </p>
  );
}

export function BreakdownOf({ tab, period, reach, change }: PanelProps & { tab: Tab }) {
  const { dimension } = tab;
  const { filter } = period.asked;
  const asked = { range: reach.range, dimension, rankBy: tab.rankBy, filter };
  // The map shows every country: the list is the first of the same answer.
  const hasMap = dimension === "country";
  const limit = hasMap ? MAX_REPORT_ROWS : FEW_ROWS;
  const { breakdown: all, isOfBefore, rankBy } = useBreakdown({ ...asked, limit });
  const breakdown = all && firstOf(all, FEW_ROWS);
  const isNothing = breakdown?.rows.length === 0;
  const filtering = {
    filter,
    change: (next: Filter) => change("filter", writeFilter(next)),
  };
  return (
    <>
      {hasMap && (
        <CountryMap
          breakdown={all}
          rankBy={rankBy}
          choosing={choosingValue(dimension, filtering)}
        />
      )}
      <BreakdownTable
        breakdown={breakdown}
        dimension={dimension}
        rankBy={rankBy}
        greyRows={FEW_ROWS}
        isOfBefore={isOfBefore}
        {...filtering}
      />
      <ListFoot
        note={isNothing ? texts.period.nothing : noteOf({ dimension, rankBy }, breakdown)}
        total={breakdown?.valuesTotal ?? 0}
        heading={texts.period.allList.heading(texts.period.dimensions[dimension])}
        {...{ period, reach }}
      >
        {(close) => (
          <AllOfBreakdown
            asked={asked}
            filter={filter}
            change={(next) => {
              filtering.change(next);
              close();
            }}
          />
        )}
      </ListFoot>
    </>
  );
}

/** How the rows count, where that is not plain. */
function noteOf(
  { dimension, rankBy }: Pick<Tab, "dimension" | "rankBy">,
  breakdown: Breakdown | undefined,
): string {
  const { notes, visitorsAre } = texts.period;
  const how = breakdown === undefined ? "" : visitorsAre[breakdown.visitorsAre].list;
  const isOfVisitors = rankBy === "visitors" && dimension !== "path";
  const said = [
    breakdown?.countryBy === "timeZone" ? notes.countryByZone : "",
    breakdown?.countryBy !== "timeZone" && isOfVisitors && how === "" ? notes.firstVisit : "",
    isCountedByVisitor(rankBy) || breakdown?.visitorsAre === "not measured" ? how : "",
  ];
  return said.filter((text) => text !== "").join(" ");
}

type TabsProps<Name extends string> = {
  label: string;
  tabs: readonly { name: Name; title: string }[];
  shown: Name;
  show: (name: Name) => void;
};

export function PanelTabs<Name extends string>({ label, tabs, shown, show }: TabsProps<Name>) {
  return (
    <div className="choices" role="group" aria-label={label}>
      {tabs.map(({ name, title }) => (
        <button key={name} type="button" aria-pressed={name === shown} onClick={() => show(name)}>
          {title}
        </button>
      ))}
    </div>
  );
}

export function PanelFrame({
  heading,
  source,
  asked,
  tabs,
  children,
}: {
  heading: string;
  /** The function that is asked, for whoever reads the log. */
  source: string;
  /** With what (askedOf). */
  asked: string;
  tabs?: ReactNode;
  children: ReactNode;
}) {
  const headingId = useId();
  return (
    <section className="sheet-panel" aria-labelledby={headingId}>
      <div className="panel-head">
        <h2 id={headingId}>{heading}</h2>
        {tabs}
      </div>
      <PanelBoundary
        resetOn={asked}
        fallback={(error, retry) => (
          <FailedPanel
            title={texts.failed.panel(heading)}
            source={source}
            error={error}
            retry={retry}
          />
        )}
      >
        {children}
      </PanelBoundary>
    </section>
  );
}

export function PeriodPanel({ panel, ...props }: PanelProps & { panel: Panel }) {
  const [first] = panel.tabs;
  const [name, setName] = useState(first?.name);
  const tab = panel.tabs.find((one) => one.name === name) ?? first;
  if (tab === undefined) throw new Error(`The panel "${panel.name}" has no tabs; it needs one.`);
  const titles = panel.tabs.map((one) => ({ name: one.name, title: texts.period.tabs[one.name] }));
  const heading = texts.period.panels[panel.name];
  return (
    <PanelFrame
      heading={heading}
      source="reports:breakdown"
      asked={askedOf(props.reach, tab.name)}
      tabs={<PanelTabs label={heading} tabs={titles} shown={tab.name} show={setName} />}
    >
      <BreakdownOf key={tab.name} tab={tab} {...props} />
    </PanelFrame>
  );
}
