/** Owns: choosing a first and a last day, behind a button. Not: what they are for (PeriodBar.tsx, CompareChoice.tsx). */
import { useState } from "react";
import type { FormEvent } from "react";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { writeDays } from "../../../domain/calendar/periods.ts";
import type { Span } from "../../../domain/calendar/periods.ts";
import { formatDays } from "../formats.ts";
import { texts } from "../texts.ts";

type Props = {
  span: Span;
  calendar: Calendar;
  title: string;
  /** As the address says them. */
  choose: (days: string) => void;
  isOpenAtFirst?: boolean;
};

/** The last instant of a span is in its last day. */
const lastDayOf = (until: number) => until - 1;

/** Opens on demand; the browser's own calendars know its reader's language and keys. */
export function DaysForm({ span, calendar, title, choose, isOpenAtFirst = false }: Props) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const dayAt = (at: number) => calendar.localTime(at).date;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [firstDay = "", lastDay = ""] = [fields.get("first"), fields.get("last")]
      .map(String)
      .sort();
    choose(writeDays({ firstDay, lastDay }));
    setIsOpen(false);
  };
  const days = formatDays(span, calendar);
  return (
    <div className="custom-days">
      <button
        type="button"
        className="quiet-button tabular"
        aria-expanded={isOpen}
        title={title}
        onClick={() => setIsOpen(!isOpen)}
      >
        {days}
      </button>
      {isOpen && (
        <form onSubmit={submit} key={days} aria-label={title}>
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
