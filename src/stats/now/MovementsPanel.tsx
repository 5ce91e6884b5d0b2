/** Owns: the short list of who came, moved on and went last, live. Not: its rows (movements.ts). */
import { memo, useRef, useState } from "react";
import { api } from "../../../convex/_generated/api.js";
import { formatTime } from "../formats.ts";
import type { Zoned } from "../formats.ts";
import { PathLabel } from "../PathLabel.tsx";
import { FEW_ROWS } from "../period/panels.ts";
import { PanelFrame } from "../period/PeriodPanel.tsx";
import { useReport } from "../period/useReport.ts";
import { texts } from "../texts.ts";
import { skeletonWidths } from "../viewModel.ts";
import { useRowMotion } from "../useRowMotion.ts";
import { movementRows } from "./movements.ts";
import type { MovementRow } from "./movements.ts";

function Row({ row, timeZone }: { row: MovementRow } & Zoned) {
  const { kinds, from } = texts.movements;
  return (
    <tr data-row={row.key} data-kind={row.kind}>
      <td className="movement-time tabular">{formatTime(row.at, { timeZone })}</td>
      <td className="movement-kind">{kinds[row.kind]}</td>
      <th scope="row" className="label">
        <div className="movement-page">
          <PathLabel path={row.path} />
          {row.from !== null && (
            <span className="movement-detail">
              {from} <bdi dir="ltr">{row.from}</bdi>
            </span>
          )}
          {row.detail !== "" && (
            <span className="movement-detail">
              <bdi>{row.detail}</bdi>
            </span>
          )}
        </div>
      </th>
    </tr>
  );
}

/** As many rows as are shown at first, in the shape of rows. */
export function GreyMovements() {
  return (
    <table className="rows">
      <tbody className="skeleton">
        {skeletonWidths(FEW_ROWS).map((width) => (
          <tr key={width}>
            <td>
              <span className="grey-label" style={{ width: `${20 + width / 2}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Rows({ timeZone }: Zoned) {
  const { report } = useReport(api.now.movements, {});
  const [isAll, setIsAll] = useState(false);
  const bodyRef = useRef<HTMLTableSectionElement>(null);
  useRowMotion(bodyRef, report);
  const { movements: words } = texts;
  if (report === null) return <p className="panel-none">{texts.onPage.notMeasured}</p>;
  const all = movementRows(report ?? []);
  const rows = isAll ? all : all.slice(0, FEW_ROWS);
  return (
    <>
      <div className="movements" aria-busy={report === undefined}>
        {report === undefined && <GreyMovements />}
        {report?.length === 0 && <p className="panel-none">{words.nobody}</p>}
        {rows.length > 0 && (
          <table className="rows">
            <caption className="visually-hidden">{words.caption}</caption>
            <colgroup>
              <col className="movement-time" />
              <col className="movement-kind" />
              <col />
            </colgroup>
            <thead className="visually-hidden">
              <tr>
                <th scope="col">{words.time}</th>
                <th scope="col">{words.kind}</th>
                <th scope="col">{words.page}</th>
              </tr>
            </thead>
            <tbody ref={bodyRef}>
              {rows.map((row) => (
                <Row key={row.key} row={row} timeZone={timeZone} />
              ))}
            </tbody>
          </table>
        )}
      </div>
      <p className="panel-foot">
        <span>{words.note}</span>
        {all.length > FEW_ROWS && (
          <button type="button" className="quiet-button" onClick={() => setIsAll(!isAll)}>
            {isAll ? texts.movements.fewer : texts.period.all(all.length)}
          </button>
        )}
      </p>
    </>
  );
}

/** Drawn anew with what it shows, not with every second. */
export const MovementsPanel = memo(function MovementsPanel({ timeZone }: Zoned) {
  return (
    <PanelFrame heading={texts.movements.heading} source="now:movements" asked="">
      <Rows timeZone={timeZone} />
    </PanelFrame>
  );
});
