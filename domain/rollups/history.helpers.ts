/**
 * Owns: random histories of visitors, and the numbers that they ought to give, by brute force over the rows. Written
 * for clarity; shares no code with the product.
 */
import fc from "fast-check";

export interface HistoryRow {
  /** An event is an interactive one. */
  kind: "view" | "event";
  visitor: number;
  at: number;
  path: string;
  /** The country that this view's browser reported. A visit keeps that of its first view. */
  country: string;
  /** What the event is called; a view has none. */
  name: string;
}

export function viewRow(row: Omit<HistoryRow, "kind" | "name">): HistoryRow {
  return { kind: "view", name: "", ...row };
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Zone, and a moment from which histories run: each soon meets a change of the clock. */
export const ZONES: [string, number][] = [
  ["UTC", Date.UTC(2026, 0, 20)],
  ["Europe/Madrid", Date.UTC(2020, 2, 1)],
  ["America/New_York", Date.UTC(2026, 9, 5)],
  ["America/Sao_Paulo", Date.UTC(2018, 9, 10)],
  ["Asia/Beirut", Date.UTC(2022, 2, 1)],
  ["Africa/Cairo", Date.UTC(2023, 3, 1)],
  ["Asia/Kathmandu", Date.UTC(2026, 4, 20)],
  ["Australia/Lord_Howe", Date.UTC(2026, 2, 10)],
  ["Pacific/Apia", Date.UTC(2011, 11, 1)],
  ["America/St_Johns", Date.UTC(2006, 9, 1)],
];

const anyGapMs = fc.oneof(
  fc.constantFrom(0, 1, MINUTE, 29 * MINUTE, 30 * MINUTE, 30 * MINUTE + 1, HOUR, DAY),
  fc.integer({ min: 1, max: 45 * MINUTE }),
  fc.integer({ min: 1, max: 30 * HOUR }),
  fc.integer({ min: 1, max: 12 * DAY }),
);

const anyStep = fc.record({
  kind: fc.constantFrom("view" as const, "view" as const, "event" as const),
  gapMs: anyGapMs,
  name: fc.constantFrom("signup", "buy"),
  path: fc.constantFrom("/", "/a", "/b"),
  country: fc.constantFrom("ES", "NP", ""),
});

/** Up to six visitors over up to some months, in the order of a log: by time, then visitor. */
export function anyHistory(startsAt: number): fc.Arbitrary<HistoryRow[]> {
  return fc
    .array(fc.array(anyStep, { minLength: 1, maxLength: 14 }), { minLength: 1, maxLength: 6 })
    .map((visitors) =>
      visitors
        .flatMap((steps, visitor) => {
          let at = startsAt;
          return steps.map(({ gapMs, kind, ...more }) => {
            at += gapMs;
            return { kind, visitor, at, ...more };
          });
        })
        .sort((a, b) => a.at - b.at || a.visitor - b.visitor),
    );
}

export interface Visit {
  visitor: number;
  country: string;
  rows: HistoryRow[];
}

/** A visit begins with a view, and goes on while no more than 30 minutes pass between two views or events of its visitor. */
export function visitsOf(history: HistoryRow[]): Visit[] {
  const visits: Visit[] = [];
  const open = new Map<number, Visit>();
  for (const row of history) {
    const visit = open.get(row.visitor);
    const last = visit?.rows.at(-1);
    if (visit !== undefined && last !== undefined && row.at - last.at <= 1_800_000) {
      visit.rows.push(row);
    } else if (row.kind === "view") {
      const begun = { visitor: row.visitor, country: row.country, rows: [row] };
      open.set(row.visitor, begun);
      visits.push(begun);
    }
  }
  return visits;
}

export function rowsIn(history: HistoryRow[], from: number, until: number): HistoryRow[] {
  return history.filter((row) => row.at >= from && row.at < until);
}

export function viewsOf(rows: HistoryRow[]): HistoryRow[] {
  return rows.filter((row) => row.kind === "view");
}

/** The time until the next view or event of a visit is spent on the page of the view before. */
export function readingMsOf(visits: Visit[]): Map<string, number> {
  const readingMs = new Map<string, number>();
  for (const { rows } of visits) {
    let path = "?";
    for (const [index, row] of rows.slice(0, -1).entries()) {
      if (row.kind === "view") path = row.path;
      const ms = (rows[index + 1]?.at ?? 0) - row.at;
      readingMs.set(path, (readingMs.get(path) ?? 0) + ms);
    }
  }
  return readingMs;
}

export function distinctVisitors(rows: HistoryRow[]): number {
  return new Set(rows.map((row) => row.visitor)).size;
}

/** Of a history of views alone. */
export function firstTimers(history: HistoryRow[], from: number, until: number): number {
  const before = new Set(history.filter((row) => row.at < from).map((row) => row.visitor));
  return new Set(
    rowsIn(history, from, until)
      .map((row) => row.visitor)
      .filter((visitor) => !before.has(visitor)),
  ).size;
}

/** Each visitor under the country of the visit to which their first view in the range belongs. */
export function visitorsByCountry(
  history: HistoryRow[],
  from: number,
  until: number,
): Map<string, number> {
  const countryOf = new Map(
    visitsOf(history).flatMap((visit) => visit.rows.map((row) => [row, visit.country] as const)),
  );
  const seen = new Set<number>();
  const counts = new Map<string, number>();
  for (const row of viewsOf(rowsIn(history, from, until))) {
    if (seen.has(row.visitor)) continue;
    seen.add(row.visitor);
    const country = countryOf.get(row) ?? "?";
    counts.set(country, (counts.get(country) ?? 0) + 1);
  }
  return counts;
}

export function tally<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
