/**
 * Owns: the value under which a roll-up counts a property of an event: the tuple of event name, key and value as JSON
 * text; and of those of a key that did not fit: the tuple without a value.
 * Not: which did not fit (tail.ts).
 */
export interface PropertyKey {
  name: string;
  key: string;
}

export function propertyValue({ name, key }: PropertyKey, value: string): string {
  return JSON.stringify([name, key, value]);
}

/** All values of the key that are not kept apart, together. */
export function foldedValue({ name, key }: PropertyKey): string {
  return JSON.stringify([name, key]);
}

/** A null value is that of the folded ones. Throws on what the two above did not make. */
export function readPropertyValue(text: string): PropertyKey & { value: string | null } {
  const tuple: unknown = JSON.parse(text);
  const [name, key, value = null] = Array.isArray(tuple) ? (tuple as unknown[]) : [];
  const isTuple = typeof name === "string" && typeof key === "string";
  if (isTuple && (value === null || typeof value === "string")) return { name, key, value };
  throw new Error(`${text.slice(0, 64)} is no property of an event; wanted [name, key, value].`);
}
