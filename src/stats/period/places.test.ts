import { expect, test } from "vitest";
import { firstOf } from "./listRows.ts";
import type { Breakdown } from "./panels.ts";
import { mapInWords, placesOf } from "./places.ts";

const figures = { views: 0, visits: 0, bounces: 0, exits: 0, durationMs: 0, events: 0 };
const row = (value: string, visitors: number | null) => ({
  ...figures,
  ...{ value, visitors, newVisitors: visitors },
});
const breakdown = (rows: Breakdown["rows"], rest: Breakdown["rest"] = null): Breakdown => ({
  ...{ from: 0, until: 1, timeZone: "UTC", isBeyondRetention: false, visitorsAre: "distinct" },
  ...{ dimension: "country", rows, rest, valuesTotal: rows.length, complete: true },
  ...{ visitorsBy: "firstVisit", countryBy: "timeZone" },
});

test("a country is where the map has its number, darkest where most are, and never white where somebody is", () => {
  const places = placesOf(breakdown([row("DE", 900), row("AF", 1)]), "visitors");
  expect([...places]).toEqual([
    ["276", { country: "DE", name: "Germany", count: 900, step: 6 }],
    ["004", { country: "AF", name: "Afghanistan", count: 1, step: 1 }],
  ]);
});

test("what is no country, nobody's, or made up by a visitor is not on the map", () => {
  const rows = [row("", 5), row("__proto__", 5), row("<b>", 5), row("FR", 0), row("ES", null)];
  expect(placesOf(breakdown(rows), "visitors").size).toBe(0);
});

test("says in words where most are", () => {
  const places = placesOf(breakdown([row("DE", 1_200), row("FR", 3)]), "visitors");
  expect(mapInWords(places, "visitors")).toBe(
    "Map of visitors by country, 2 countries: Germany 1,200, France 3. The list below has all.",
  );
  expect(mapInWords(new Map(), "visitors")).toBe("Map: no country yet.");
});

test("the first rows of an answer have the rest that they would have had if they alone were asked for", () => {
  const all = breakdown([row("DE", 5), row("FR", 3), row("ES", 2)], row("", 1));
  const { rows, rest } = firstOf(all, 1);
  expect(rows.map(({ value }) => value)).toEqual(["DE"]);
  expect(rest).toMatchObject({ visitors: 6, newVisitors: 6, views: 0 });
  expect(
    firstOf(breakdown([row("DE", null), row("FR", null), row("ES", null)]), 1).rest,
  ).toMatchObject({ visitors: null });
  expect(firstOf(all, 3)).toBe(all);
});
