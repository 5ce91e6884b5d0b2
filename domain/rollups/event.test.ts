import { describe, expect, test } from "vitest";
import { calendarOf } from "../calendar/calendar.ts";
import { differences } from "./compare.ts";
import { type LoggedEvent, addEvents } from "./event.ts";
import { propertiesOf } from "./event-report.ts";
import { encodeParts } from "./parts.ts";
import { propertyValue, readPropertyValue } from "./property.ts";
import { breakdown } from "./report.ts";
import { type Rollup, emptyRollup } from "./rollup.ts";
import { seal } from "./seal.ts";
import { MAX_HOUR_VALUES } from "./tail.ts";

const utc = calendarOf("UTC");
const NOON = Date.UTC(2026, 2, 1, 12);

function event(name: string, properties: LoggedEvent["properties"] = []): LoggedEvent {
  return { at: NOON, name, properties, nameLastSeenAt: null, visit: null };
}

function hourOf(events: readonly LoggedEvent[]): Rollup {
  return addEvents(emptyRollup("hour", NOON), events, utc);
}

/** The same, in batches as the worker takes them. */
function inBatches(events: readonly LoggedEvent[], batchSize = 500): Rollup {
  let hour = emptyRollup("hour", NOON);
  for (let from = 0; from < events.length; from += batchSize) {
    hour = addEvents(hour, events.slice(from, from + batchSize), utc);
  }
  return hour;
}

function rowsOf(rollups: Rollup[]) {
  const request = { dimension: "event", from: NOON, rankBy: "events", maxRows: 10 } as const;
  return breakdown(rollups, request, utc);
}

function numbered(count: number, eventOf: (place: number) => LoggedEvent): LoggedEvent[] {
  return Array.from({ length: count }, (_, place) => eventOf(place));
}

describe("an hour with more events than are kept apart", () => {
  test("ten thousand names leave a thousand, the frequent ones among them, and nothing is lost", () => {
    const flood = numbered(10_000, (place) => event(`name-${place}`));
    const real = numbered(40, () => event("signup"));
    const hour = inBatches([...flood.slice(0, 5_000), ...real, ...flood.slice(5_000)]);
    expect(hour.dimensions.get("event")?.cells.size).toBe(MAX_HOUR_VALUES);
    const { rows, rest, complete } = rowsOf([hour]);
    expect(rows[0]).toMatchObject({ value: "signup", events: 40, visitors: 40 });
    const listed = rows.reduce((sum, row) => sum + row.events, 0);
    expect([listed + (rest?.events ?? 0), complete]).toEqual([10_040, false]);
    expect(hour.total).toMatchObject({ events: 10_040, views: 0, visits: 0, visitors: [] });
    const day = seal("day", Date.UTC(2026, 2, 1), [hour], utc);
    expect(day.total.events).toBe(10_040);
  });

  test("a key full of ids folds its own values, and leaves the other keys and events theirs", () => {
    const orders = numbered(3_000, (place) =>
      event("order", [
        ["id", `id-${place}`],
        ["plan", place % 3 === 0 ? "pro" : "free"],
      ]),
    );
    const signups = numbered(50, (place) => event("signup", [["from", `page-${place}`]]));
    const hour = inBatches([...signups, ...orders]);
    const report = propertiesOf([hour], { name: "order", maxValues: 50 });
    const [id, plan] = report.properties;
    expect(id).toMatchObject({ key: "id", events: 3_000 });
    expect(id?.values).toHaveLength(50);
    expect((id?.restEvents ?? 0) + 50).toBe(3_000);
    expect(plan).toEqual({
      ...{ key: "plan", events: 3_000, restEvents: 0 },
      values: [
        { value: "free", events: 2_000 },
        { value: "pro", events: 1_000 },
      ],
    });
    expect(report.complete).toBe(true);
    const [from] = propertiesOf([hour], { name: "signup", maxValues: 100 }).properties;
    expect([from?.values.length, from?.restEvents]).toEqual([50, 0]);
  });

  test("is bounded in bytes, whatever the names and properties are", () => {
    const long = numbered(1_000, (place) =>
      event(
        `${place}`.padEnd(64, "n"),
        numbered(30, () => event("")).map((_, key) => [
          `${key}`.padEnd(64, "k"),
          `${place}`.padEnd(300, "v"),
        ]),
      ),
    );
    const hour = inBatches(long);
    const { size } = hour.dimensions.get("eventProperty")?.cells ?? new Map();
    expect(size).toBeLessThanOrEqual(MAX_HOUR_VALUES);
    const bytes = encodeParts(hour).reduce((sum, part) => sum + part.bytes.byteLength, 0);
    expect(bytes).toBeLessThan(1_000_000);
    expect(hour.total.events).toBe(1_000);
  });

  test("is the same to a proof in whatever batches its events came, and a wrong sum is found", () => {
    const orders = numbered(1_500, (place) => event("order", [["id", `${place % 700}`]]));
    const [stored, counted] = [inBatches(orders, 70), inBatches(orders.toReversed(), 400)];
    expect(differences(stored, counted)).toEqual([]);
    const fewer = inBatches(orders.slice(1), 70);
    const found = differences(fewer, counted).map(({ dimension, stored: n }) => [dimension, n]);
    expect(found).toContainEqual(["eventProperty", 1_499]);
  });
});

describe("what contradicts itself", () => {
  test("is refused: another hour, a time that is none, a place in a visit that is none", () => {
    const visit = { visitSequence: 2, lastActiveAt: NOON, previousPath: "/", values: {} };
    const good = event("play");
    const bad: LoggedEvent[] = [
      { ...good, at: NOON - 1 },
      { ...good, at: Number.NaN },
      { ...good, name: "" },
      { ...good, nameLastSeenAt: NOON + 1 },
      { ...good, visit: { ...visit, visitSequence: 1 } },
      { ...good, visit: { ...visit, lastActiveAt: NOON + 1 } },
    ];
    for (const wrong of bad) expect(() => hourOf([wrong])).toThrow();
    expect(hourOf([{ ...good, visit }]).total).toMatchObject({ bounces: -1, durationMs: 0 });
  });

  test("a property's value is a tuple, which no text can be mistaken for", () => {
    const key = { name: 'a","b', key: "__proto__" };
    expect(readPropertyValue(propertyValue(key, "]"))).toEqual({ ...key, value: "]" });
    for (const text of ["", "{}", "[1]", '["a"]', '["a","b",1]']) {
      expect(() => readPropertyValue(text)).toThrow();
    }
  });
});
