/**
 * Owns: which names are time zones.
 * Not: what such a zone does to the clock (offsets.ts).
 */

const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,3}$/;

/** Longest IANA name today: 32 characters (`America/Argentina/ComodRivadavia`). */
const MAX_ZONE_NAME_CHARS = 64;

/** Of the form of an IANA name, whether or not there is such a zone. */
export function isZoneName(name: string): boolean {
  return name.length <= MAX_ZONE_NAME_CHARS && ZONE_NAME.test(name);
}

/** True for an IANA zone such as `Europe/Madrid` or `UTC`; false for a bare offset such as `+02:00`. */
export function isTimeZone(name: string): boolean {
  if (!isZoneName(name)) return false;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
