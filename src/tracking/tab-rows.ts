/**
 * Owns: what one tab writes down about itself, the order of tabs, and the arithmetic of the next beat.
 * Not: where rows are kept, and when they are written (open-tabs.ts).
 */
import { HEARTBEAT_DEBOUNCE_MS, HEARTBEAT_INTERVAL_MS } from "../../domain/intervals.ts";

/** How much later each further tab in the order beats: more than a row takes to reach another process. */
export const TAKEOVER_STEP_MS = 1_000;

/** "closed": gone while others stayed. "left": gone as the last one, so that the visitor has left with it. */
const TAB_STATES = ["visible", "hidden", "closed", "left"] as const;
export type TabState = (typeof TAB_STATES)[number];

/** All times are epoch ms. */
export type TabRow = {
  tabId: string;
  state: TabState;
  /** When its reader last did something: showed it, or moved to another path in it. */
  actedAt: number;
  /** The last sign that it lives. */
  aliveAt: number;
  /** Its last view or heartbeat, 0 for none yet, and the path that this named. */
  saidAt: number;
  saidPath: string;
};

export function isOpen({ state }: TabRow): boolean {
  return state === "visible" || state === "hidden";
}

/** The order of open tabs: shown ones first, then those in which the reader last did something, then by id. */
function isAhead(other: TabRow, me: TabRow): boolean {
  if (other.state !== me.state) return other.state === "visible";
  if (other.actedAt !== me.actedAt) return other.actedAt > me.actedAt;
  return other.tabId > me.tabId;
}

/** The last view or beat of any of these tabs. A time ahead of `now` is of a clock that was set back: it is ignored. */
export function lastSaid(rows: TabRow[], now: number): Pick<TabRow, "saidAt" | "saidPath"> {
  let last = { saidAt: 0, saidPath: "" };
  for (const row of rows) {
    if (row.saidAt > last.saidAt && row.saidAt < now + TAKEOVER_STEP_MS) last = row;
  }
  return last;
}

/**
 * When `me`, which shows `path`, has to beat unless another tab does so before; null when it need not at all.
 * The tab at place n of the order waits n × TAKEOVER_STEP_MS longer than the first.
 */
export function beatDueAt(me: TabRow, others: TabRow[], path: string, now: number): number | null {
  const { saidAt, saidPath } = lastSaid([me, ...others], now);
  const place = others.filter((row) => isOpen(row) && isAhead(row, me)).length;
  const goneAt = Math.max(0, ...others.map((row) => (isOpen(row) ? 0 : row.aliveAt)));
  const debouncedAt = saidAt + HEARTBEAT_DEBOUNCE_MS;
  const turnMs = place * TAKEOVER_STEP_MS;
  // The visitor may still be shown at the path of the tab that went, or as having left: say where they are.
  if (goneAt > saidAt) return Math.max(debouncedAt, goneAt + TAKEOVER_STEP_MS) + turnMs;
  if (me.state !== "visible") return null;
  if (place === 0 && path !== saidPath) return debouncedAt;
  return saidAt + HEARTBEAT_INTERVAL_MS + turnMs;
}

/** A row is one line per field, the path last: text that anybody may have written is read without an exception. */
export function textOf(row: TabRow): string {
  return [row.state, row.actedAt, row.aliveAt, row.saidAt, row.saidPath].join("\n");
}

/** Null for text that is no row. */
export function rowFrom(tabId: string, text: string | null): TabRow | null {
  const [stateText, actedAt, aliveAt, saidAt, ...pathLines] = (text ?? "").split("\n");
  const state = TAB_STATES.find((known) => known === stateText);
  const times = { actedAt: Number(actedAt), aliveAt: Number(aliveAt), saidAt: Number(saidAt) };
  if (state === undefined || !Object.values(times).every(Number.isFinite)) return null;
  return { tabId, state, ...times, saidPath: pathLines.join("\n") };
}
