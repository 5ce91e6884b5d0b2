/**
 * Owns: the marks of annotations above the bars of the trend, and the card that says those of the chosen bar.
 * Not: which annotations those are (notes.ts), or the same in the table (TrendTable.tsx).
 */
import { texts } from "../texts.ts";
import { bucketLabel } from "./labels.ts";
import { firstNotes, spokenNotes } from "./notes.ts";
import type { Annotation, Notes } from "./notes.ts";
import type { Bar } from "./trend.ts";
import type { Period } from "./usePeriod.ts";

type Props = {
  bars: readonly Bar[];
  notes: Notes;
  period: Period;
  chosen: number | null;
  choose: (place: number) => void;
};

const percent = (part: number) => `${(part * 100).toFixed(2)}%`;

/** A mark says its notes to whoever hears it; the pointer finds them at the whole bar. */
export function TrendNotes({ bars, notes, period, chosen, choose }: Props) {
  const ofChosen = chosen === null ? undefined : notes.get(chosen);
  const middle = (place: number) => (place + 0.5) / bars.length;
  return (
    <>
      {[...notes].map(([place, ofBar]) => (
        <button
          key={bars[place]?.startsAt}
          type="button"
          className="trend-mark"
          data-chosen={place === chosen}
          style={{ left: percent(middle(place)) }}
          aria-label={labelOf(bars[place], ofBar, period)}
          onFocus={() => choose(place)}
        />
      ))}
      {ofChosen !== undefined && chosen !== null && (
        <NoteCard notes={ofChosen} period={period} at={middle(chosen)} />
      )}
    </>
  );
}

function labelOf(bar: Bar | undefined, notes: readonly Annotation[], period: Period): string {
  const { unit, calendar } = period;
  const when = bucketLabel(bar?.startsAt ?? 0, unit, calendar);
  return texts.period.annotations.mark(when, spokenNotes(notes, calendar));
}

type CardProps = { notes: readonly Annotation[]; period: Period; at: number };

/** Inside of the plot wherever its bar is. Heard by the mark's name, so seen only. */
function NoteCard({ notes, period, at }: CardProps) {
  const { shown, more } = firstNotes(notes, period.calendar);
  return (
    <div
      className="trend-note"
      aria-hidden="true"
      style={{ left: percent(at), transform: `translateX(-${percent(at)})` }}
      // Who moves onto it reads it: no other bar is chosen meanwhile.
      onPointerMove={(event) => event.stopPropagation()}
    >
      {shown.map(({ when, text }, place) => (
        <p key={place}>
          <span className="trend-note-when tabular">{when}</span> <bdi>{text}</bdi>
        </p>
      ))}
      {more > 0 && <p className="trend-note-when">{texts.period.annotations.more(more)}</p>}
    </div>
  );
}
