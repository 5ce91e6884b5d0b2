/**
 * Owns: how often the live region speaks. Not: what it says (texts.ts).
 *
 * A screen reader reads each change aloud; numbers that move every second would drown everything else.
 */

/** The live region speaks at most this often. */
export const ANNOUNCEMENT_INTERVAL_MS = 30_000;

export type Spoken = { readonly text: string; readonly at: number };

/** Before anything was said: the first numbers are spoken when they are there, for who came here by a link. */
export const NOTHING_SPOKEN: Spoken = { text: "", at: Number.NEGATIVE_INFINITY };

/** What to do at `now`, epoch ms, when `text` is how things are. */
export type Decision =
  | { readonly kind: "silent" }
  | { readonly kind: "speak" }
  | { readonly kind: "later"; readonly waitMs: number };

export function decideAnnouncement(text: string, spoken: Spoken, now: number): Decision {
  if (text === spoken.text) return { kind: "silent" };
  const waitMs = spoken.at + ANNOUNCEMENT_INTERVAL_MS - now;
  return waitMs <= 0 ? { kind: "speak" } : { kind: "later", waitMs };
}
