/** Owns: choosing the period and with what it is compared. Not: which days those are (domain/calendar/periods.ts). */
import { Link, useLocation, useSearchParams } from "react-router-dom";
import { ExportMenu } from "../exports/ExportMenu.tsx";
import { texts } from "../texts.ts";
import { PRESETS, writePeriod } from "../../../domain/calendar/periods.ts";
import type { Preset } from "../../../domain/calendar/periods.ts";
import { changed } from "./address.ts";
import { CompareChoice } from "./CompareChoice.tsx";
import { DaysForm } from "./DaysForm.tsx";
import type { ChangeAddress, Period } from "./usePeriod.ts";

type BarProps = { period: Period; change: ChangeAddress };

/** In sight; the others are in a list. */
const FREQUENT: readonly Preset[] = ["today", "yesterday", "7d", "28d", "90d", "12mo"];
const OTHERS = PRESETS.filter((preset) => !FREQUENT.includes(preset));

function Presets({ period, change }: BarProps) {
  const [parameters] = useSearchParams();
  const { hash } = useLocation();
  const shown = writePeriod(period.asked.period);
  return (
    <nav className="choices" aria-label={texts.period.label}>
      {FREQUENT.map((preset) => (
        <Link
          key={preset}
          to={{ search: `?${changed(parameters, "period", preset).toString()}`, hash }}
          preventScrollReset
          aria-current={preset === shown ? "true" : undefined}
        >
          {texts.period.presets[preset]}
        </Link>
      ))}
      <select
        aria-label={texts.period.others}
        value={OTHERS.some((preset) => preset === shown) ? shown : ""}
        onChange={({ target }) => target.value !== "" && change("period", target.value)}
      >
        <option value="">{texts.period.others}</option>
        {OTHERS.map((preset) => (
          <option key={preset} value={preset}>
            {texts.period.presets[preset]}
          </option>
        ))}
      </select>
    </nav>
  );
}

export function PeriodBar({ period, change, site }: BarProps & { site: string }) {
  return (
    <div className="period-bar">
      <Presets period={period} change={change} />
      <DaysForm
        span={period.span}
        calendar={period.calendar}
        title={texts.period.choose}
        choose={(days) => change("period", days)}
      />
      <CompareChoice period={period} change={change} />
      <ExportMenu period={period} site={site} />
    </div>
  );
}
