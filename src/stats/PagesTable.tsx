/** Owns: the rows of the pages table. Not: which rows (PagesPanel.tsx). */
import { useRef } from "react";
import { formatCount, formatShare } from "./formats.ts";
import { PathLabel } from "./PathLabel.tsx";
import { RollingNumber } from "./RollingNumber.tsx";
import { roomFor } from "./room.ts";
import type { PageStat, Stats } from "./stats.ts";
import { texts } from "./texts.ts";
import { useArrivalTint } from "./useArrivalTint.ts";
import { useRowMotion } from "./useRowMotion.ts";
import { pageRows, type PageRow } from "./viewModel.ts";

export function PagesHead() {
  return (
    <thead>
      <tr>
        <th scope="col">{texts.pages.page}</th>
        <th scope="col" className="title-column">
          {texts.pages.title}
        </th>
        <th scope="col" className="type-column">
          {texts.pages.type}
        </th>
        <th scope="col" className="number now-column">
          {texts.pages.now}
        </th>
        <th scope="col" className="number views-column">
          {texts.pages.views}
        </th>
        <th scope="col" className="number share-column">
          {texts.pages.share}
        </th>
      </tr>
    </thead>
  );
}

function Row({ row }: { row: PageRow }) {
  const rowRef = useRef<HTMLTableRowElement>(null);
  useArrivalTint(rowRef, row.views);
  const title = row.title === row.path ? "" : row.title;
  return (
    <tr ref={rowRef} data-row={row.path}>
      <th scope="row" className="label">
        <span className="bar" style={{ width: `${row.width}%` }} />
        <PathLabel path={row.path} />
        <span className="label-detail">
          {title !== "" && (
            <>
              <bdi>{title}</bdi>
              {" · "}
            </>
          )}
          <bdi>{row.pageType}</bdi>
        </span>
      </th>
      <td className="title-column" dir="auto" title={title}>
        {title}
      </td>
      <td className="type-column">
        <bdi>{row.pageType}</bdi>
      </td>
      <td className="number now-column">{row.online > 0 ? formatCount(row.online) : ""}</td>
      <td className="number strong views-column" data-views={row.path}>
        <RollingNumber value={row.views} />
      </td>
      <td className="number share-column">{formatShare(row.share)}</td>
    </tr>
  );
}

export function PagesTable({ pages, stats }: { pages: readonly PageStat[]; stats: Stats }) {
  const bodyRef = useRef<HTMLTableSectionElement>(null);
  useRowMotion(bodyRef, pages);
  const rows = pageRows(pages, stats);
  const room = roomFor({
    views: rows.map(({ views }) => views),
    now: rows.map(({ online }) => online),
  });
  return (
    <table className="rows rows-pages" style={room}>
      <caption className="visually-hidden">{texts.pages.caption}</caption>
      <PagesHead />
      <tbody ref={bodyRef}>
        {rows.map((row) => (
          <Row key={row.path} row={row} />
        ))}
      </tbody>
    </table>
  );
}
