/**
 * Owns: a guess at whether a person reads a view: by what the first input was, and how long after the view it came.
 * Not: the inputs (parts/human.ts). Nothing is kept but the verdict: no position, no key, no time.
 */
import type { HumanVerdict } from "../../domain/engagement/human.ts";

const SECOND_MS = 1_000;

/** Verdicts by how much earlier than this the first input came. */
const LATENCIES: readonly [beforeMs: number, verdict: HumanVerdict][] = [
  [1 * SECOND_MS, "0-1s"],
  [5 * SECOND_MS, "1-5s"],
  [30 * SECOND_MS, "5-30s"],
];

/** `isTrusted` is the event's: the browser made it, not a program of the page. */
export function humanVerdict(latencyMs: number, isTrusted: boolean): HumanVerdict {
  if (!isTrusted) return "synthetic";
  return LATENCIES.find(([beforeMs]) => latencyMs < beforeMs)?.[1] ?? "30s+";
}
