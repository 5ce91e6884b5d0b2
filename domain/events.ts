/**
 * Owns: what a custom event may be: its name, its properties, which names are well known; and its properties as one
 * short text, and back.
 * Not: what it counts (rollups/event.ts), or which hit brings it.
 */
import {
  MAX_EVENT_NAME_LENGTH,
  MAX_EVENT_PROPERTIES,
  MAX_PROPERTY_KEY_LENGTH,
  MAX_PROPERTY_VALUE_LENGTH,
} from "./limits.ts";
import { clampLine } from "./text.ts";

/** What the parts of the script send by themselves; in brackets their properties. */
export const WELL_KNOWN_EVENTS = {
  /** {url} */
  outboundLink: "Outbound link",
  /** {url} */
  fileDownload: "File download",
  /** {action, id?} */
  formSubmit: "Form submit",
  /** {path, referrer?} */
  notFound: "404",
} as const;

/** Names of events that say nothing of what a person did, unless the page says otherwise. */
const PASSIVE_EVENTS: ReadonlySet<string> = new Set([WELL_KNOWN_EVENTS.notFound]);

/** A property as it is kept; a number or truth value is its text. */
export type EventProperty = readonly [key: string, value: string];

export type GivenValue = string | number | boolean;

/** One line, clamped; "" when nothing is left, which is no name. */
export function eventName(given: string): string {
  return clampLine(given, MAX_EVENT_NAME_LENGTH);
}

export function isInteractiveByName(name: string): boolean {
  return !PASSIVE_EVENTS.has(name);
}

/**
 * The first MAX_EVENT_PROPERTIES that have a key, each clamped. Of keys that are the same once they are clamped the
 * first one stays, so that a key is in an event once.
 */
export function eventProperties(
  given: Iterable<readonly [key: string, value: GivenValue]>,
): EventProperty[] {
  const kept = new Map<string, string>();
  for (const [givenKey, value] of given) {
    if (kept.size === MAX_EVENT_PROPERTIES) break;
    const key = clampLine(givenKey, MAX_PROPERTY_KEY_LENGTH);
    if (key === "" || kept.has(key)) continue;
    kept.set(key, clampLine(String(value), MAX_PROPERTY_VALUE_LENGTH));
  }
  return [...kept];
}

/** As JSON text, because a key may be any text; undefined when there are none. */
export function packProperties(properties: readonly EventProperty[]): string | undefined {
  return properties.length === 0 ? undefined : JSON.stringify(properties);
}

/** Throws on a text that packProperties did not make. */
export function unpackProperties(packed: string | undefined): EventProperty[] {
  if (packed === undefined) return [];
  const list: unknown = JSON.parse(packed);
  if (Array.isArray(list) && list.every(isProperty)) return list;
  throw new Error(
    `${packed.slice(0, 64)} are no properties of an event; wanted [[key, value], …] as JSON text.`,
  );
}

function isProperty(item: unknown): item is EventProperty {
  return Array.isArray(item) && item.length === 2 && item.every((text) => typeof text === "string");
}
