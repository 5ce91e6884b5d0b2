/** Owns: the week by hours, as cells in steps (steps.ts). Not: drawing them (WeekPanel.tsx). */
import { hourValue, weekdayHourValue } from "../../../domain/rollups/clock.ts";
import type { BreakdownRow } from "./panels.ts";
import { stepOf } from "./steps.ts";

/** Monday is 1. */
export const DAYS_OF_THE_WEEK = [1, 2, 3, 4, 5, 6, 7] as const;
export const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
export type WeekCell = {
  readonly hour: number;
  readonly views: number;
  /** 0..6 */ readonly step: number;
};

export function weekOf(rows: readonly BreakdownRow[]): { cells: WeekCell[][]; most: number } {
  const viewsAt = new Map(rows.map(({ value, views }) => [value, views]));
  const most = Math.max(0, ...viewsAt.values());
  const cells = DAYS_OF_THE_WEEK.map((weekday) =>
    HOURS.map((hour) => {
      const views = viewsAt.get(weekdayHourValue(weekday, hourValue(hour))) ?? 0;
      return { hour, views, step: stepOf(views, most) };
    }),
  );
  return { cells, most };
}
