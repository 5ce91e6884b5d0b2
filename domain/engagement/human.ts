/**
 * Owns: the verdicts of the probe that hears whether somebody touches a page, and which of several stands.
 * Not: the probe (src/tracking/human-probe.ts), or adding verdicts up (cell.ts).
 *
 * A view has one verdict: of the earliest input that the browser itself made of a reader's doing ("trusted"), how long
 * after the view it came. "synthetic" says that a program of the page, or one that drives it, made an input, and stands
 * only while nothing trusted came. So it does not matter in which order verdicts arrive, nor how often. No verdict means
 * that nothing was touched, or that the page does not listen.
 */

/** In ascending order: of two the later one stands. Stored bytes name a verdict by its place: only append, and what is appended needs a rank of its own. */
export const HUMAN_VERDICTS = ["synthetic", "30s+", "5-30s", "1-5s", "0-1s"] as const;

export type HumanVerdict = (typeof HUMAN_VERDICTS)[number];

/** Its place in HUMAN_VERDICTS. */
export function placeOfVerdict(verdict: HumanVerdict): number {
  return HUMAN_VERDICTS.indexOf(verdict);
}

export function isHumanVerdict(text: string): text is HumanVerdict {
  return (HUMAN_VERDICTS as readonly string[]).includes(text);
}

/** Which of the two stands; undefined when there is neither. */
export function standingVerdict(
  one: HumanVerdict | undefined,
  other: HumanVerdict | undefined,
): HumanVerdict | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return placeOfVerdict(one) > placeOfVerdict(other) ? one : other;
}
