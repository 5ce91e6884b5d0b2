/** Owns: the pages by the time that people spent on them. Not: whether anything was reported (useEngagement.ts). */
import { api } from "../../../convex/_generated/api.js";
import { MAX_REPORT_ROWS } from "../../../domain/limits.ts";
import { texts } from "../texts.ts";
import { writeFilter } from "./address.ts";
import { AllRows } from "./AllRows.tsx";
import { choosingValue } from "./BreakdownTable.tsx";
import type { Filtering } from "./BreakdownTable.tsx";
import { engagedList } from "./listRows.ts";
import { FEW_ROWS } from "./panels.ts";
import { ListFoot } from "./PeriodPanel.tsx";
import type { PanelProps } from "./PeriodPanel.tsx";
import { RowList } from "./RowList.tsx";
import type { Span } from "../../../domain/calendar/periods.ts";
import { useReport } from "./useReport.ts";

const ENGAGED_COLUMNS = [texts.period.engagedList.time, texts.period.engagedList.each] as const;

function AllEngagedPaths({ range, ...filtering }: Filtering & { range: Span }) {
  const asked = { range, limit: MAX_REPORT_ROWS };
  const { report, isOfBefore } = useReport(api.reports.engagedPaths, asked);
  return (
    <AllRows
      caption={texts.period.engagedList.path}
      columns={ENGAGED_COLUMNS}
      list={report && engagedList(report)}
      isOfBefore={isOfBefore}
      choosing={choosingValue("path", filtering)}
    />
  );
}

export function EngagedPaths({ period, reach, change }: PanelProps) {
  const { from, until } = reach.range;
  const range = { from, until };
  const { report, isOfBefore } = useReport(api.reports.engagedPaths, {
    range,
    limit: FEW_ROWS,
  });
  const list = report && engagedList(report);
  const { engagedList: words, nothing, allList } = texts.period;
  const filtering: Filtering = {
    filter: period.asked.filter,
    change: (filter) => change("filter", writeFilter(filter)),
  };
  return (
    <>
      <RowList
        caption={words.path}
        columns={ENGAGED_COLUMNS}
        rows={list?.rows}
        rest={list?.rest ?? null}
        greyRows={FEW_ROWS}
        isOfBefore={isOfBefore}
        choosing={choosingValue("path", filtering)}
      />
      <ListFoot
        note={list?.rows.length === 0 ? nothing : words.note}
        total={report?.pathsTotal ?? 0}
        heading={allList.heading(words.time)}
        {...{ period, reach }}
      >
        {(close) => (
          <AllEngagedPaths
            range={range}
            filter={filtering.filter}
            change={(filter) => {
              filtering.change(filter);
              close();
            }}
          />
        )}
      </ListFoot>
    </>
  );
}
