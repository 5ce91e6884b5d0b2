/** Owns: one panel of breakdowns: its heading, its tabs, and how many rows. Not: the rows (BreakdownTable.tsx). */
import { useId, useState } from "react";
import type { ReactNode } from "react";
import { PanelBoundary } from "../../shared/PanelBoundary.tsx";
import { FailedPanel } from "../FailedPanel.tsx";
import { formatTime } from "../formats.ts";
import { texts } from "../texts.ts";
import { writeOnly } from "./address.ts";
import { BreakdownTable } from "./BreakdownTable.tsx";
import type { Panel, Reach, Tab } from "./panels.ts";
import { useBreakdown } from "./useBreakdown.ts";
import type { ChangeAddress, Period } from "./usePeriod.ts";

const FEW_ROWS = 8;
/** The server gives as many at once. */
const ALL_ROWS = 1_000;

export type PanelProps = { period: Period; reach: Reach; change: ChangeAddress };

export function BreakdownOf({ tab, period, reach, change }: PanelProps & { tab: Tab }) {
  const [isAll, setIsAll] = useState(false);
  const { dimension, rankBy } = tab;
  const limit = isAll ? ALL_ROWS : FEW_ROWS;
  const breakdown = useBreakdown({ range: reach.range, dimension, rankBy, limit });
  const isNothing = breakdown?.rows.length === 0;
  const total = breakdown?.valuesTotal ?? 0;
  return (
    <>
      <BreakdownTable
        breakdown={breakdown}
        caption={texts.period.dimensions[dimension]}
        rankBy={rankBy}
        rows={FEW_ROWS}
        only={period.asked.only}
        choose={(only) => change("only", only === null ? null : writeOnly(only))}
      />
      <p className="panel-foot tabular">
        <span>
          {isNothing ? texts.period.nothing : noteOf(tab, breakdown?.countryBy ?? null)}
          {reach.isToLastHour &&
            ` ${texts.period.toHour(formatTime(reach.range.until, period.calendar))}`}
        </span>
        {total > FEW_ROWS && (
          <button type="button" className="quiet-button" onClick={() => setIsAll(!isAll)}>
            {isAll ? texts.period.fewer : texts.period.all(Math.min(total, ALL_ROWS))}
          </button>
        )}
      </p>
    </>
  );
}

/** How the rows count, where that is not plain. */
function noteOf(
  { dimension, rankBy }: Tab,
  countryBy: "timeZone" | "headerOrTimeZone" | null,
): string {
  if (countryBy === "timeZone") return texts.period.notes.countryByZone;
  if (dimension === "path") return "";
  return rankBy === "visitors" ? texts.period.notes.firstVisit : "";
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
  tabs,
  children,
}: {
  heading: string;
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
        fallback={(error, retry) => (
          <FailedPanel
            title={texts.failed.panel(heading)}
            source="reports:breakdown"
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
      tabs={<PanelTabs label={heading} tabs={titles} shown={tab.name} show={setName} />}
    >
      <BreakdownOf key={tab.name} tab={tab} {...props} />
    </PanelFrame>
  );
}
