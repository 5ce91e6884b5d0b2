/** Owns: how the figures of a period and their changes are written. Not: what they are (change.ts). */
import { formatCount, UNDEFINED_MARK } from "../formats.ts";
import { texts } from "../texts.ts";
import type { Change } from "./change.ts";

const decimals = (digits: number) =>
  new Intl.NumberFormat("en-US", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
const ONE = decimals(1);
const TWO = decimals(2);

/** A count; one that is not measured as a dash, because 0 would be a claim. */
export function formatMeasured(count: number | null): string {
  return count === null ? UNDEFINED_MARK : formatCount(count);
}

/** 2.30; an undefined one as a dash. */
export function formatMean(value: number | null): string {
  return value === null ? UNDEFINED_MARK : TWO.format(value);
}

/** A time that was spent: 41s, 2m 14s, 1h 05m. */
export function formatSpent(durationMs: number | null): string {
  if (durationMs === null) return UNDEFINED_MARK;
  const seconds = Math.round(durationMs / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  if (minutes < 60) return `${minutes}m ${String(seconds % 60).padStart(2, "0")}s`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}

const UP = "▲";
const DOWN = "▼";

/** `mark` points up or down; `isWorse` when fewer of it, or more, is not what one hopes for. */
export function formatChange(change: Change): { mark: string; text: string; isWorse: boolean } {
  const markOf = (value: number) => (value > 0 ? UP : DOWN);
  switch (change.kind) {
    case "asBefore":
      return { mark: "–", text: texts.period.asBefore, isWorse: false };
    case "new":
      return { mark: UP, text: texts.period.noneBefore, isWorse: false };
    case "times":
      return { mark: UP, text: `×${ONE.format(change.ratio)}`, isWorse: false };
    case "share":
      return {
        mark: markOf(change.share),
        text: `${ONE.format(Math.abs(change.share) * 100)}%`,
        isWorse: false,
      };
    case "points":
      return {
        mark: markOf(change.points),
        text: `${ONE.format(Math.abs(change.points))} pt`,
        isWorse: change.isWorse,
      };
    case "duration":
      return {
        mark: markOf(change.durationMs),
        text: formatSpent(Math.abs(change.durationMs)),
        isWorse: false,
      };
    default:
      return change satisfies never;
  }
}
