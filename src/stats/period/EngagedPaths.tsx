/** Owns: the pages by the time that people spent on them. Not: whether anything was reported (useEngagement.ts). */
import { useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import { MAX_REPORT_ROWS } from "../../../domain/limits.ts";
import { texts } from "../texts.ts";
import { writeOnly } from "./address.ts";
import { choosingOnly } from "./BreakdownTable.tsx";
import { engagedList } from "./listRows.ts";
import { FEW_ROWS, ListFoot } from "./PeriodPanel.tsx";
import type { PanelProps } from "./PeriodPanel.tsx";
import { RowList } from "./RowList.tsx";
import { useReport } from "./useReport.ts";

export function EngagedPaths({ period, reach, change }: PanelProps) {
  const [isAll, setIsAll] = useState(false);
  const { from, until } = reach.range;
  const limit = isAll ? MAX_REPORT_ROWS : FEW_ROWS;
  const asked = { range: { from, until }, limit };
  const { report, isOfBefore } = useReport(api.reports.engagedPaths, asked);
  const list = report === undefined ? undefined : engagedList(report);
  const { engagedList: words, nothing } = texts.period;
  const choosing = choosingOnly("path", {
    only: period.asked.only,
    choose: (only) => change("only", only === null ? null : writeOnly(only)),
  });
  return (
    <>
      <RowList
        caption={words.path}
        columns={[words.time, words.each]}
        rows={list?.rows}
        rest={list?.rest ?? null}
        greyRows={FEW_ROWS}
        choosing={choosing}
        isOfBefore={isOfBefore}
      />
      <ListFoot
        note={list?.rows.length === 0 ? nothing : words.note}
        total={report?.pathsTotal ?? 0}
        {...{ period, reach, isAll, setIsAll }}
      />
    </>
  );
}
