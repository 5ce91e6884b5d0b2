/**
 * Owns: the class of a screen by its width.
 * Not: the device (agent.ts): a desktop window can be narrow.
 */

/** `below` in CSS pixels; the usual breakpoints of layouts for phone, tablet, laptop and monitor. */
const CLASSES = [
  { name: "xs", below: 576 },
  { name: "s", below: 992 },
  { name: "m", below: 1_440 },
  { name: "l", below: 1_920 },
  { name: "xl", below: Number.POSITIVE_INFINITY },
] as const;

export type ScreenClass = (typeof CLASSES)[number]["name"];

/** Wider than any wall of screens; more is a mistake or a trick. */
const MAX_WIDTH_PX = 100_000;

/** "" when the width is missing or no width. */
export function screenClass(widthPx: number | undefined): ScreenClass | "" {
  if (widthPx === undefined || !(widthPx > 0) || widthPx > MAX_WIDTH_PX) return "";
  return CLASSES.find(({ below }) => widthPx < below)?.name ?? "";
}

export function isScreenClass(name: string): name is ScreenClass {
  return CLASSES.some((screen) => screen.name === name);
}

/** "576–991 px", for a report. */
export function screenLabel(name: ScreenClass): string {
  const place = CLASSES.findIndex((screen) => screen.name === name);
  const from = CLASSES[place - 1]?.below;
  const below = CLASSES[place]?.below ?? Number.POSITIVE_INFINITY;
  if (from === undefined) return `under ${below} px`;
  return below === Number.POSITIVE_INFINITY ? `${from} px and up` : `${from}–${below - 1} px`;
}
