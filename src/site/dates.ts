/** Owns: how the site writes a date. Not: times of day on /stats, which follow the site's zone. */

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** "2026-11-30" as "30 November 2026". What is not a date comes back as it is. */
export function readableDate(isoDate: string): string {
  const instant = Date.parse(isoDate);
  return Number.isNaN(instant) ? isoDate : dayFormat.format(instant);
}
