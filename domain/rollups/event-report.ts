/**
 * Owns: the values of an event's properties in a range, key by key, from the roll-ups of its buckets.
 * Not: the names themselves, which are a dimension like others (report.ts).
 */
import { readPropertyValue } from "./property.ts";
import type { Rollup } from "./rollup.ts";

export interface PropertyReport {
  key: string;
  /** Events of the name that had the key. */
  events: number;
  /** The most frequent first. */
  values: { value: string; events: number }[];
  /** Events with a value that is not listed: one beyond the limit, or one that an hour did not keep apart. */
  restEvents: number;
}

export interface PropertiesReport {
  /** The most frequent first. */
  properties: PropertyReport[];
  /** False when an hour had more keys than are kept: some events are under none then. */
  complete: boolean;
}

export function propertiesOf(
  rollups: Iterable<Rollup>,
  { name, maxValues }: { name: string; maxValues: number },
): PropertiesReport {
  const keys = new Map<string, { values: Map<string, number>; restEvents: number }>();
  let complete = true;
  for (const rollup of rollups) {
    const stored = rollup.dimensions.get("eventProperty");
    if (stored === undefined) continue;
    if (stored.other !== null) complete = false;
    for (const [text, { events }] of stored.cells) {
      const property = readPropertyValue(text);
      if (property.name !== name) continue;
      const found = keys.get(property.key) ?? { values: new Map<string, number>(), restEvents: 0 };
      keys.set(property.key, found);
      if (property.value === null) found.restEvents += events;
      else found.values.set(property.value, (found.values.get(property.value) ?? 0) + events);
    }
  }
  const properties = [...keys].map(([key, { values, restEvents }]) =>
    ranked(key, [...values], { restEvents, maxValues }),
  );
  properties.sort((a, b) => b.events - a.events || (a.key < b.key ? -1 : 1));
  return { properties, complete };
}

function ranked(
  key: string,
  values: [string, number][],
  { restEvents, maxValues }: { restEvents: number; maxValues: number },
): PropertyReport {
  values.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const sumOf = (some: readonly [string, number][]) => some.reduce((sum, [, n]) => sum + n, 0);
  return {
    key,
    events: sumOf(values) + restEvents,
    values: values.slice(0, maxValues).map(([value, events]) => ({ value, events })),
    restEvents: restEvents + sumOf(values.slice(maxValues)),
  };
}
