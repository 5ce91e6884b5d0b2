/** Owns: telling the style sheets how long the numbers are, so that none of any size covers its neighbour. Not: sizes. */
import type { CSSProperties } from "react";
import { longestCount } from "./viewModel.ts";

/** `--<name>-characters` for each list of counts: how many characters its longest takes. */
export function roomFor(lists: Readonly<Record<string, readonly number[]>>): CSSProperties {
  return Object.fromEntries(
    Object.entries(lists).map(([name, counts]) => [`--${name}-characters`, longestCount(counts)]),
  );
}
