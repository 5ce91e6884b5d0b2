import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calendarOf } from "../calendar/calendar.ts";
import { CELL_METRICS, type Metric } from "./cell.ts";
import { DIMENSIONS, type Scope } from "./dimension.ts";
import {
  ZONES,
  anyHistory,
  distinctVisitors,
  firstTimers,
  type HistoryRow,
  readingMsOf,
  rowsIn,
  tally,
  visitorsByCountry,
  viewsOf,
  visitsOf,
} from "./history.helpers.ts";
import { breakdown, summarise } from "./report.ts";
import { addRows, hoursOf, loggedRows, readRange, rollAll } from "./rolled.helpers.ts";
import { type Rollup, emptyRollup, merge } from "./rollup.ts";
import { seal } from "./seal.ts";

const DAY_MS = 86_400_000;

const anyWorld = fc.constantFrom(...ZONES).chain(([zone, startsAt]) =>
  fc.record({
    zone: fc.constant(zone),
    startsAt: fc.constant(startsAt),
    history: anyHistory(startsAt),
  }),
);

/** Where a range begins and ends, and how far days and months are sealed, as days after the start of the world. */
const anyQuestion = fc.record({
  fromDay: fc.double({ min: -3, max: 70, noNaN: true }),
  lengthDays: fc.oneof(
    fc.double({ min: 0.01, max: 7, noNaN: true }),
    fc.double({ min: 0.01, max: 80, noNaN: true }),
  ),
  wholeDays: fc.boolean(),
  daysUntil: fc.integer({ min: -5, max: 160 }),
  monthsUntil: fc.integer({ min: -5, max: 160 }),
  hoursSince: fc.integer({ min: -40, max: 160 }),
});

/** Every number of a report, with the values of a dimension as a plain map. */
function valuesBy(rollups: Rollup[], from: number, dimension: "country" | "path", zone: string) {
  const request = { dimension, from, rankBy: "visitors", maxRows: 100 } as const;
  const { rows } = breakdown(rollups, request, calendarOf(zone));
  return new Map(rows.filter((row) => row.visitors > 0).map((row) => [row.value, row.visitors]));
}

/** How often each event was sent, and by how many visitors, from roll-ups and from rows. */
function eventsBy(rollups: Rollup[], from: number, zone: string) {
  const request = { dimension: "event", from, rankBy: "events", maxRows: 100 } as const;
  const { rows } = breakdown(rollups, request, calendarOf(zone));
  return new Map(rows.map(({ value, events, visitors }) => [value, { events, visitors }]));
}

function sendersOf(rows: HistoryRow[]) {
  const sent = rows.filter((row) => row.kind === "event");
  const names = new Set(sent.map((row) => row.name));
  return new Map(
    [...names].map((name) => {
      const named = sent.filter((row) => row.name === name);
      return [name, { events: named.length, visitors: distinctVisitors(named) }];
    }),
  );
}

describe("I5: a range answered from roll-ups equals brute force over the rows", () => {
  test("views, visitors, new visitors, visitors by country, by page and by event, in any zone, from any mix of months, days and hours", () => {
    fc.assert(
      fc.property(
        anyWorld,
        fc.array(anyQuestion, { minLength: 8, maxLength: 8 }),
        (world, questions) => {
          const { zone, startsAt, history } = world;
          const calendar = calendarOf(zone);
          const rolled = rollAll(hoursOf(loggedRows(history), calendar), calendar);
          for (const question of questions) {
            const asked = startsAt + Math.floor(question.fromDay * DAY_MS);
            const from = question.wholeDays ? calendar.startOf("day", asked) : asked;
            const until = from + Math.ceil(question.lengthDays * DAY_MS);
            const sealed = {
              daysUntil: startsAt + question.daysUntil * DAY_MS,
              monthsUntil: startsAt + Math.min(question.monthsUntil, question.daysUntil) * DAY_MS,
              hoursSince: startsAt + Math.min(question.hoursSince, question.daysUntil - 1) * DAY_MS,
            };
            const { plan, rollups } = readRange(rolled, calendar, { from, until }, sealed);
            expect(plan.from).toBeLessThanOrEqual(from);
            expect(plan.until).toBeGreaterThanOrEqual(until);
            const rows = rowsIn(history, plan.from, plan.until);
            const figures = summarise(rollups, plan.from);
            const views = viewsOf(rows);
            const pastViews = viewsOf(history);
            expect(figures.views).toBe(views.length);
            expect(figures.visitors).toBe(distinctVisitors(views));
            expect(figures.newVisitors).toBe(firstTimers(pastViews, plan.from, plan.until));
            expect(figures.events).toBe(rows.length - views.length);
            expect(eventsBy(rollups, plan.from, zone)).toEqual(sendersOf(rows));
            expect(valuesBy(rollups, plan.from, "country", zone)).toEqual(
              visitorsByCountry(history, plan.from, plan.until),
            );
            const pagesByVisitor = new Set(
              views.map((row) => JSON.stringify([row.path, row.visitor])),
            );
            expect(valuesBy(rollups, plan.from, "path", zone)).toEqual(
              tally([...pagesByVisitor], (key) => (JSON.parse(key) as [string, number])[0]),
            );
          }
        },
      ),
      { numRuns: 250 },
    );
  });

  test("all of a history: visits, bounces, durations, entries and exits are those of its visits", () => {
    fc.assert(
      fc.property(anyWorld, ({ zone, history }) => {
        const calendar = calendarOf(zone);
        const visits = visitsOf(history);
        const rolled = rollAll(hoursOf(loggedRows(history), calendar), calendar);
        for (const unit of ["hour", "day", "month"] as const) {
          const rollups = [...rolled[unit].values()];
          const figures = summarise(rollups, 0);
          expect(figures.visits).toBe(visits.length);
          expect(figures.bounces).toBe(visits.filter((visit) => visit.rows.length === 1).length);
          const durations = visits.map(
            (visit) => (visit.rows.at(-1)?.at ?? 0) - (visit.rows[0]?.at ?? 0),
          );
          expect(figures.durationMs).toBe(durations.reduce((sum, ms) => sum + ms, 0));

          const { rows } = breakdown(
            rollups,
            { dimension: "path", from: 0, rankBy: "views", maxRows: 100 },
            calendar,
          );
          const entries = tally(visits, (visit) => visit.rows[0]?.path ?? "?");
          const exits = tally(visits, (visit) => viewsOf(visit.rows).at(-1)?.path ?? "?");
          const bounces = tally(
            visits.filter((visit) => visit.rows.length === 1),
            (visit) => visit.rows[0]?.path ?? "?",
          );
          const readingMs = readingMsOf(visits);
          for (const row of rows) {
            expect(row.durationMs).toBe(readingMs.get(row.value) ?? 0);
            expect([row.visits, row.exits, row.bounces]).toEqual([
              entries.get(row.value) ?? 0,
              exits.get(row.value) ?? 0,
              bounces.get(row.value) ?? 0,
            ]);
          }
        }
      }),
      { numRuns: 120 },
    );
  });
});

/** An event here has one property, so both dimensions of events add up to how many there were. */
function keptBy(scope: Scope): readonly Metric[] {
  if (scope === "event") return ["events"];
  return scope === "view" ? ["views", "visits"] : CELL_METRICS.filter((name) => name !== "events");
}

describe("I3: in every bucket the values of a dimension add up to the total", () => {
  test("in hours, days and months, for each metric that it keeps, and visitors were active before it", () => {
    fc.assert(
      fc.property(anyWorld, ({ zone, history }) => {
        const calendar = calendarOf(zone);
        const rolled = rollAll(hoursOf(loggedRows(history), calendar), calendar);
        for (const rollup of Object.values(rolled).flatMap((rollups) => [...rollups.values()])) {
          for (const [dimension, values] of rollup.dimensions) {
            const { scope } = DIMENSIONS[dimension];
            for (const cell of values.cells.values()) {
              expect(cell.previousStarts.filter((start) => start >= rollup.startsAt)).toEqual([]);
            }
            for (const metric of keptBy(scope)) {
              const sum = [...values.cells.values()].reduce((so, cell) => so + cell[metric], 0);
              const exits = scope === "page" ? rollup.total.visits : 0;
              expect(sum).toBe(metric === "exits" ? exits : rollup.total[metric]);
            }
            if (scope === "page" || scope === "event") continue;
            const visitors = [...values.cells.values()].flatMap((cell) => cell.visitors);
            const total = rollup.total.visitors.reduce((so, count) => so + count, 0);
            expect(visitors.reduce((so, count) => so + count, 0)).toBe(total);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("adding up", () => {
  test("batches in any order, added or merged, give the same roll-up", () => {
    fc.assert(
      fc.property(
        anyWorld,
        fc.array(fc.nat(3), { minLength: 84 }),
        ({ zone, history }, batchOf) => {
          const calendar = calendarOf(zone);
          for (const [startsAt, whole] of hoursOf(loggedRows(history), calendar)) {
            const views = loggedRows(history).filter(
              (view) => calendar.startOf("hour", view.at) === startsAt,
            );
            const batches = [3, 1, 2, 0].map((batch) =>
              views.filter((_, index) => batchOf[index] === batch),
            );
            const empty = emptyRollup("hour", startsAt);
            const added = batches.reduce((sum, batch) => addRows(sum, batch, calendar), empty);
            const merged = merge(batches.map((batch) => addRows(empty, batch, calendar)));
            expect(added).toEqual(whole);
            expect(merged).toEqual(whole);
            expect(empty).toEqual(emptyRollup("hour", startsAt));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test("a month sealed from its hours is the month sealed from its days", () => {
    fc.assert(
      fc.property(anyWorld, ({ zone, history }) => {
        const calendar = calendarOf(zone);
        const rolled = rollAll(hoursOf(loggedRows(history), calendar), calendar);
        for (const [startsAt, month] of rolled.month) {
          const hours = [...rolled.hour.values()].filter(
            (hour) => calendar.startOf("month", hour.startsAt) === startsAt,
          );
          expect(seal("month", startsAt, hours, calendar)).toEqual(month);
        }
      }),
      { numRuns: 80 },
    );
  });
});

describe("history that arrives late", () => {
  test("rewriting the rows whose facts changed and re-rolling their days gives what the whole history gives", () => {
    fc.assert(
      fc.property(
        anyWorld,
        fc.array(fc.boolean(), { minLength: 84 }),
        ({ zone, history }, isLate) => {
          const calendar = calendarOf(zone);
          const early = history.filter((_, index) => !isLate[index]);
          const stored = loggedRows(early);
          const storedAs = new Map(early.map((row, index) => [row, JSON.stringify(stored[index])]));
          const hours = hoursOf(stored, calendar);

          const now = loggedRows(history);
          const touchedDays = new Set(
            history.flatMap((row, index) =>
              JSON.stringify(now[index]) === storedAs.get(row)
                ? []
                : calendar.startOf("day", row.at),
            ),
          );
          const inTouchedDays = now.filter((view) =>
            touchedDays.has(calendar.startOf("day", view.at)),
          );
          for (const [startsAt, hour] of hoursOf(inTouchedDays, calendar))
            hours.set(startsAt, hour);

          const whole = rollAll(hoursOf(now, calendar), calendar);
          expect(rollAll(hours, calendar)).toEqual(whole);
        },
      ),
      { numRuns: 100 },
    );
  });
});
