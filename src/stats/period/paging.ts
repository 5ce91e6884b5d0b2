/** Owns: which rows of a long list match what is searched for, and which of them stand on a page. Not: drawing them (AllRows.tsx). */
import type { ListRow } from "./listRow.ts";

export const ROWS_A_PAGE = 50;

export type PageOfRows = {
  readonly rows: readonly ListRow[];
  /** From 0; the last one there is, when fewer match than when it was chosen. */
  readonly page: number;
  readonly pages: number;
  /** The places of its rows among those that match, from 1; 0 and 0 of none. */
  readonly first: number;
  readonly last: number;
  readonly matching: number;
};

/** Whatever the case of letters, in the name on screen or in the value as it is stored. */
function matches({ key, label }: ListRow, wanted: string): boolean {
  return label.toLowerCase().includes(wanted) || key.toLowerCase().includes(wanted);
}

export function pageOf(
  all: readonly ListRow[],
  { search, page }: { search: string; page: number },
): PageOfRows {
  const wanted = search.trim().toLowerCase();
  const matching = wanted === "" ? all : all.filter((row) => matches(row, wanted));
  const pages = Math.max(1, Math.ceil(matching.length / ROWS_A_PAGE));
  const shown = Math.max(0, Math.min(page, pages - 1));
  const rows = matching.slice(shown * ROWS_A_PAGE, (shown + 1) * ROWS_A_PAGE);
  const before = shown * ROWS_A_PAGE;
  return {
    ...{ rows, page: shown, pages, matching: matching.length },
    first: rows.length === 0 ? 0 : before + 1,
    last: before + rows.length,
  };
}
