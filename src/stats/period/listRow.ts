/** Owns: what a row of a list says. Not: drawing it (RowList.tsx), or which rows there are (listRows.ts). */
export type ListRow = {
  readonly key: string;
  readonly label: string;
  /** What its bar is as long as. */
  readonly size: number;
  readonly strong: string;
  readonly quiet: string;
  /** Where there is room for all figures. */
  readonly more?: readonly string[];
};
