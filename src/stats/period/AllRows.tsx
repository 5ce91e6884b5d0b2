/** Owns: all rows of a list, with a search and page by page, and what is said of those that have none. Not: the rows (listRows.ts). */
import { useState } from "react";
import { texts } from "../texts.ts";
import type { List } from "./listRows.ts";
import { pageOf } from "./paging.ts";
import type { PageOfRows } from "./paging.ts";
import { RowList } from "./RowList.tsx";
import type { Choosing, RowListProps } from "./RowList.tsx";

const GREY_ROWS_OF_ALL = 12;

type Props = Pick<RowListProps, "caption" | "columns"> & {
  more?: readonly string[];
  list: List | undefined;
  isOfBefore: boolean;
  choosing: Choosing | undefined;
};

function Paging({ shown, setPage }: { shown: PageOfRows; setPage: (page: number) => void }) {
  const { allList } = texts.period;
  if (shown.matching === 0) return <p className="panel-foot">{allList.none}</p>;
  return (
    <p className="panel-foot tabular">
      <span role="status">{allList.shown(shown.first, shown.last, shown.matching)}</span>
      {shown.pages > 1 && (
        <span className="paging">
          <button
            type="button"
            className="quiet-button"
            disabled={shown.page === 0}
            onClick={() => setPage(shown.page - 1)}
          >
            {allList.previous}
          </button>
          <button
            type="button"
            className="quiet-button"
            disabled={shown.page === shown.pages - 1}
            onClick={() => setPage(shown.page + 1)}
          >
            {allList.next}
          </button>
        </span>
      )}
    </p>
  );
}

export function AllRows({ caption, columns, more = [], list, isOfBefore, choosing }: Props) {
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(0);
  const { allList } = texts.period;
  const shown = pageOf(list?.rows ?? [], { search, page });
  const isLast = search.trim() === "" && shown.page === shown.pages - 1;
  const find = (text: string) => {
    setSearch(text);
    setPage(0);
  };
  return (
    <>
      <input
        type="search"
        className="all-search"
        aria-label={allList.search}
        placeholder={allList.search}
        value={search}
        onChange={({ target }) => find(target.value)}
      />
      <div className="all-rows" tabIndex={0} role="region" aria-label={caption}>
        <RowList
          {...{ caption, columns, more, isOfBefore, choosing }}
          rows={list === undefined ? undefined : shown.rows}
          largest={Math.max(0, ...(list?.rows ?? []).map(({ size }) => size))}
          rest={isLast ? (list?.rest ?? null) : null}
          greyRows={GREY_ROWS_OF_ALL}
        />
      </div>
      {list !== undefined && <Paging shown={shown} setPage={setPage} />}
      {list !== undefined && list.rest !== null && (
        <p className="panel-note">{allList.rest(list.rest.label, list.rest.title ?? "")}</p>
      )}
    </>
  );
}
