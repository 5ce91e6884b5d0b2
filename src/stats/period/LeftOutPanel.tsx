/** Owns: the hits of the last 30 days that were not counted, and how to put them back. Not: why (convex/model/filtered.ts). */
import { useConvex } from "convex/react";
import { useEffect, useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import { HOUR_MS } from "../../../domain/calendar/civil.ts";
import { formatTime } from "../formats.ts";
import type { Zoned } from "../formats.ts";
import { useReaderArguments } from "../readerToken.ts";
import { texts } from "../texts.ts";
import { leftOutList } from "./listRows.ts";
import { FEW_ROWS } from "./panels.ts";
import type { LeftOut } from "./panels.ts";
import { PanelFrame } from "./PeriodPanel.tsx";
import { RowList } from "./RowList.tsx";

type Asked = { readonly leftOut: LeftOut; readonly at: number };

/**
 * Asked once an hour, and not subscribed to: an answer reads up to 2,000 rows, and a flood of programs would have it
 * read them with every hit. Throws what the server refused.
 */
function useLeftOut(now: number): Asked | undefined {
  const convex = useConvex();
  const reader = useReaderArguments();
  const [answer, setAnswer] = useState<Asked | Error | undefined>(undefined);
  const hour = Math.floor(now / HOUR_MS);
  useEffect(() => {
    let isWanted = true;
    convex.query(api.reports.leftOut, reader).then(
      (leftOut) => isWanted && setAnswer({ leftOut, at: Date.now() }),
      (failure: unknown) =>
        isWanted && setAnswer(failure instanceof Error ? failure : new Error(String(failure))),
    );
    return () => {
      isWanted = false;
    };
  }, [convex, reader, hour]);
  if (answer instanceof Error) throw answer;
  return answer;
}

function LeftOutRows({ now, site }: { now: number; site: Zoned }) {
  const answer = useLeftOut(now);
  const { leftOut: words } = texts.period;
  const { count = 0, atLeast = false } = answer?.leftOut ?? {};
  return (
    <>
      <RowList
        caption={words.kind}
        columns={[words.hits, words.share]}
        rows={answer === undefined ? undefined : leftOutList(answer.leftOut).rows}
        greyRows={FEW_ROWS}
      />
      <p className="panel-foot tabular">
        {answer !== undefined && count === 0 && words.nothing}
        {answer !== undefined &&
          count > 0 &&
          words.asOf(words.total(count, atLeast), formatTime(answer.at, site))}
      </p>
      {count > 0 && (
        <p className="panel-note">
          {words.restore} <code>{words.command}</code>.
        </p>
      )}
    </>
  );
}

export function LeftOutPanel(props: { now: number; site: Zoned }) {
  return (
    <PanelFrame heading={texts.period.panels.leftOut} source="reports:leftOut" asked="">
      <LeftOutRows {...props} />
    </PanelFrame>
  );
}
