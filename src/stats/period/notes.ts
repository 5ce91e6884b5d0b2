/**
 * Owns: which annotations stand at which bar of the trend, and what they say.
 * Not: drawing them (TrendNotes.tsx).
 */
import type { FunctionReturnType } from "convex/server";
import type { api } from "../../../convex/_generated/api.js";
import type { Calendar } from "../../../domain/calendar/calendar.ts";
import { formatDay, formatTime } from "../formats.ts";
import { texts } from "../texts.ts";

export type Annotation = FunctionReturnType<typeof api.reports.annotations>[number];

/** By the place of the bar; a bar without any has no entry. */
export type Notes = ReadonlyMap<number, readonly Annotation[]>;

/** Beside a bar; the table has them all. */
const MOST_SHOWN = 3;

/** Those outside of all bars stand at none. */
export function notesOf(
  annotations: readonly Annotation[],
  bars: readonly { readonly startsAt: number; readonly endsAt: number }[],
): Notes {
  const notes = new Map<number, Annotation[]>();
  for (const annotation of annotations) {
    const { at } = annotation;
    const place = bars.findIndex(({ startsAt, endsAt }) => at >= startsAt && at < endsAt);
    if (place >= 0) notes.set(place, [...(notes.get(place) ?? []), annotation]);
  }
  return notes;
}

export type Shown = { readonly when: string; readonly text: string };

/** What is said of one, and when that was: the day, and the time where one was given. */
export function shownNote({ at, day, text }: Annotation, calendar: Calendar): Shown {
  const date = formatDay(at, calendar);
  return { when: day === null ? `${date}, ${formatTime(at, calendar)}` : date, text };
}

/** The first of a bar's, and how many more there are. */
export function firstNotes(
  notes: readonly Annotation[],
  calendar: Calendar,
): { shown: Shown[]; more: number } {
  const shown = notes.slice(0, MOST_SHOWN).map((note) => shownNote(note, calendar));
  return { shown, more: notes.length - shown.length };
}

/** For whoever hears it; "" without notes. */
export function spokenNotes(notes: readonly Annotation[] | undefined, calendar: Calendar): string {
  if (notes === undefined) return "";
  const { shown, more } = firstNotes(notes, calendar);
  const said = shown.map(({ when, text }) => texts.period.annotations.one(when, text));
  return [...said, ...(more > 0 ? [texts.period.annotations.more(more)] : [])].join(" ");
}
