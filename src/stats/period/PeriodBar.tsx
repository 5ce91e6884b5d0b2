/** Owns: choosing the period and with what it is compared. Not: which days those are (span.ts). */
import { useState } from "react";
import type { FormEvent } from "react";
import { Link, useLocation, useSearchParams } from "react-router-dom";
import { ExportMenu } from "../exports/ExportMenu.tsx";
import { formatDay } from "../formats.ts";
import { texts } from "../texts.ts";
import { PRESETS, writePeriod } from "../../../domain/calendar/periods.ts";
import type { Preset } from "../../../domain/calendar/periods.ts";
import { changed } from "./address.ts";
import { WAYS_TO_COMPARE } from "./span.ts";
import type { ChangeAddress, Period } from "./usePeriod.ts";

type DaysProps = { period: Period; change: ChangeAddress };

/** In sight; the others are in a list. */
const FREQUENT: readonly Preset[] = ["today", "yesterday", "7d", "28d", "90d", "12mo"];
const OTHERS = PRESETS.filter((preset) => !FREQUENT.includes(preset));

function Presets({ period, change }: DaysProps) {
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

/** The last instant of a span is in its last day. */
const lastDayOf = (until: number) => until - 1;

/** Opens on demand; the browser's own calendars know its reader's language and keys. */
function CustomDays({ period, change }: DaysProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { calendar, span } = period;
  const dayAt = (at: number) => calendar.localTime(at).date;
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const days = [fields.get("first"), fields.get("last")].map(String).sort();
    change("period", days.join(".."));
    setIsOpen(false);
  };
  const days = `${formatDay(span.from, calendar)} – ${formatDay(lastDayOf(span.until), calendar)}`;
  return (
    <div className="custom-days">
      <button
        type="button"
        className="quiet-button tabular"
        aria-expanded={isOpen}
        title={texts.period.choose}
        onClick={() => setIsOpen(!isOpen)}
      >
        {days}
      </button>
      {isOpen && (
        <form onSubmit={choose} key={days}>
          <label>
            {texts.period.first}
            <input type="date" name="first" required defaultValue={dayAt(span.from)} />
          </label>
          <label>
            {texts.period.last}
            <input type="date" name="last" required defaultValue={dayAt(lastDayOf(span.until))} />
          </label>
          <button type="submit">{texts.period.show}</button>
        </form>
      )}
    </div>
  );
}

export function PeriodBar({ period, change, site }: DaysProps & { site: string }) {
  return (
    <div className="period-bar">
      <Presets period={period} change={change} />
      <CustomDays period={period} change={change} />
      <label className="compare">
        {texts.period.compare}
        <select
          value={period.asked.compare}
          onChange={({ target }) =>
            change("compare", target.value === "previous" ? null : target.value)
          }
        >
          {WAYS_TO_COMPARE.map((how) => (
            <option key={how} value={how}>
              {texts.period.comparisons[how]}
            </option>
          ))}
        </select>
      </label>
      <ExportMenu period={period} site={site} />
    </div>
  );
}
