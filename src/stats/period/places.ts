/** Owns: which country of the map each row of a breakdown is, and what the map says in words. Not: its outlines (WorldMap.tsx). */
import { iso31661Alpha2ToNumeric } from "iso-3166/1-a2-to-1-n.js";
import { formatCount } from "../formats.ts";
import { texts } from "../texts.ts";
import type { Breakdown, RankBy } from "./panels.ts";
import { stepOf } from "./steps.ts";
import { valueLabel } from "./values.ts";

export type Place = {
  /** ISO 3166 of two letters, as it is stored. */
  readonly country: string;
  readonly name: string;
  readonly count: number;
  readonly step: number;
};

/** By the numbers of ISO 3166, by which the map names its countries. What is no country is in the list alone. */
export function placesOf({ rows }: Breakdown, rankBy: RankBy): ReadonlyMap<string, Place> {
  const most = Math.max(0, ...rows.map((row) => row[rankBy] ?? 0));
  return new Map(
    rows.flatMap((row): [string, Place][] => {
      const id = numberOf(row.value);
      const count = row[rankBy] ?? 0;
      if (id === null || count <= 0) return [];
      const name = valueLabel("country", row.value);
      return [[id, { country: row.value, name, count, step: stepOf(count, most) }]];
    }),
  );
}

function numberOf(country: string): string | null {
  return Object.hasOwn(iso31661Alpha2ToNumeric, country)
    ? (iso31661Alpha2ToNumeric[country] ?? null)
    : null;
}

const NAMED = 5;

/** For whoever does not see the map. */
export function mapInWords(places: ReadonlyMap<string, Place>, rankBy: RankBy): string {
  const { map, ranked } = texts.period;
  const most = [...places.values()].sort((a, b) => b.count - a.count).slice(0, NAMED);
  const named = most.map(({ name, count }) => `${name} ${formatCount(count)}`).join(", ");
  return map.inWords(ranked[rankBy], places.size, named);
}
