/** Owns: how much of a filtered report there is. Not: the report. */
import type { Summary } from "./change.ts";

export type Progress = NonNullable<Summary["progress"]>;

/** Without a filter, or with all days that the log has of it. */
export function isWholly({ progress }: Pick<Summary, "progress">): boolean {
  return progress === undefined || progress.done >= progress.total;
}

/** Of two that are made in turn, as one. */
export function together(reports: readonly Pick<Summary, "progress">[]): Progress {
  const all = reports.flatMap(({ progress }) => (progress === undefined ? [] : [progress]));
  return {
    done: all.reduce((sum, { done }) => sum + done, 0),
    total: all.reduce((sum, { total }) => sum + total, 0),
  };
}
