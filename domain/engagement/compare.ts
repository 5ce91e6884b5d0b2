/**
 * Owns: where two engagement roll-ups of one bucket differ, figure by figure.
 * Not: which of them is right (convex/).
 */
import { HISTOGRAM_NAMES, addCell, emptyCell } from "./cell.ts";
import type { EngagementCell } from "./cell.ts";
import { emptyEngagement } from "./rollup.ts";
import type { EngagementRollup } from "./rollup.ts";

/** A figure that the log does not confirm. */
export interface EngagementDifference {
  /** Null: the total, or the sum of paths of which some are not named. */
  path: string | null;
  figure: string;
  stored: number;
  counted: number;
}

/** Empty when they say the same. Null stands for a roll-up in which nothing was reported. */
export function engagementDifferences(
  stored: EngagementRollup | null,
  counted: EngagementRollup | null,
): EngagementDifference[] {
  const before = stored ?? emptyEngagement("hour", 0);
  const after = counted ?? emptyEngagement("hour", 0);
  const found = cellDifferences(null, before.total, after.total);
  // Which paths made it past the tail depends on the order in which they came, so then their sum is compared.
  if (before.other !== null || after.other !== null) {
    return [...found, ...cellDifferences(null, allPaths(before), allPaths(after))];
  }
  for (const path of new Set([...before.paths.keys(), ...after.paths.keys()])) {
    const [one, other] = [before.paths.get(path), after.paths.get(path)];
    found.push(...cellDifferences(path, one ?? emptyCell(), other ?? emptyCell()));
  }
  return found;
}

function cellDifferences(
  path: string | null,
  stored: EngagementCell,
  counted: EngagementCell,
): EngagementDifference[] {
  const found: EngagementDifference[] = [];
  const compare = (figure: string, before: number, after: number) => {
    if (before !== after) found.push({ path, figure, stored: before, counted: after });
  };
  compare("views", stored.views, counted.views);
  compare("engagedMs", stored.engagedMs, counted.engagedMs);
  for (const name of HISTOGRAM_NAMES) {
    const [before, after] = [stored.histograms.get(name), counted.histograms.get(name)];
    for (const bin of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
      compare(`${name} in bin ${bin}`, before?.get(bin) ?? 0, after?.get(bin) ?? 0);
    }
  }
  return found;
}

function allPaths({ paths, other }: EngagementRollup): EngagementCell {
  const sum = emptyCell();
  for (const cell of paths.values()) addCell(sum, cell);
  if (other !== null) addCell(sum, other);
  return sum;
}
