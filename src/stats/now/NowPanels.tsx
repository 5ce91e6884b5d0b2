/** Owns: what stands below the totals about now: the course of the day, and who comes and goes. */
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import type { Stats } from "../stats.ts";
import { MovementsPanel } from "./MovementsPanel.tsx";
import { OnlineCurve } from "./OnlineCurve.tsx";

export function NowPanels(props: { stats: Stats; now: number; calendar: Calendar }) {
  return (
    <div className="sheet-panels">
      <OnlineCurve {...props} />
      <MovementsPanel timeZone={props.stats.site.timeZone} />
    </div>
  );
}
