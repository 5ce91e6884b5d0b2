/** Owns: who is online on which page. Not: how many are online in all (NowPanel.tsx). */
import { useRef, useState } from "react";
import { formatCount } from "./formats.ts";
import { PathLabel } from "./PathLabel.tsx";
import { RollingNumber } from "./RollingNumber.tsx";
import { roomFor } from "./room.ts";
import type { Stats } from "./stats.ts";
import { texts } from "./texts.ts";
import { useRowMotion } from "./useRowMotion.ts";
import { barWidth, onlineList, type OnlineList } from "./viewModel.ts";

/** As many rows as fit beside the totals; the rest is one click away. */
const ROWS_AT_FIRST = 7;

function RestRow({ list, toggle }: { list: OnlineList; toggle: (() => void) | null }) {
  const label = texts.onPage.more(list.morePages);
  return (
    <tr className="rest">
      <td>
        {toggle === null ? (
          label
        ) : (
          <button type="button" className="quiet-button" onClick={toggle} aria-expanded="false">
            {label}
          </button>
        )}
      </td>
      <td className="number">{formatCount(list.morePeople)}</td>
    </tr>
  );
}

export function OnPagePanel({ stats }: { stats: Stats }) {
  const [isOpen, setIsOpen] = useState(false);
  const list = onlineList(stats, isOpen ? Number.POSITIVE_INFINITY : ROWS_AT_FIRST);
  const largest = stats.activeByPath[0]?.count ?? 0;
  const canOpen = !isOpen && stats.activeByPath.length > ROWS_AT_FIRST;
  const bodyRef = useRef<HTMLTableSectionElement>(null);
  useRowMotion(bodyRef, list.rows);
  return (
    <section className="on-page" aria-label={texts.onPage.caption}>
      <table
        className="rows rows-live"
        style={roomFor({ people: [...list.rows.map(({ count }) => count), list.morePeople] })}
      >
        <caption className="visually-hidden">{texts.onPage.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.onPage.page}</th>
            <th scope="col" className="number people-column">
              {texts.onPage.people}
            </th>
          </tr>
        </thead>
        <tbody ref={bodyRef}>
          {list.rows.map(({ path, count }) => (
            <tr key={path} data-row={path}>
              <th scope="row" className="label">
                <span className="bar" style={{ width: `${barWidth(count, largest)}%` }} />
                <PathLabel path={path} />
              </th>
              <td className="number strong">
                <RollingNumber value={count} />
              </td>
            </tr>
          ))}
          {list.rows.length === 0 && (
            <tr className="rest">
              <td colSpan={2}>
                {stats.activeVisitors === null ? texts.onPage.notMeasured : texts.onPage.nobody}
              </td>
            </tr>
          )}
          {list.morePages > 0 && (
            <RestRow list={list} toggle={canOpen ? () => setIsOpen(true) : null} />
          )}
        </tbody>
      </table>
      {isOpen && (
        <button type="button" className="quiet-button" onClick={() => setIsOpen(false)}>
          {texts.onPage.fewer}
        </button>
      )}
    </section>
  );
}
