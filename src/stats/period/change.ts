/**
 * Owns: how a figure changed against the compared time: by how much, or as before, and whether that is the worse way.
 * Not: which times are compared (span.ts).
 */
import type { FunctionReturnType } from "convex/server";
import type { api } from "../../../convex/_generated/api.js";

export type Summary = FunctionReturnType<typeof api.reports.summary>;

export type Change =
  | { readonly kind: "asBefore" }
  /** There was nothing before. */
  | { readonly kind: "new" }
  /** `ratio`: now divided by before. */
  | { readonly kind: "times"; readonly ratio: number }
  | { readonly kind: "share"; readonly share: number }
  /** Of a share, in percentage points; of bounces more are worse. */
  | { readonly kind: "points"; readonly points: number; readonly isWorse: boolean }
  | { readonly kind: "duration"; readonly durationMs: number };

/** A count varies by about its square root from one time to the next without anything having changed; twice that is noise. */
const NOISE_DEVIATIONS = 2;
const NOISE_SHARE = 0.005;
const NOISE_POINTS = 1;
const NOISE_MS = 1_000;
/** Above three times as much, a percentage is hard to read. */
const TIMES_FROM = 3;

/** Null where one of both is not measured. */
export function changeBetween(
  now: number | null,
  before: number | null,
  changeOf: (now: number, before: number) => Change,
): Change | null {
  return now === null || before === null ? null : changeOf(now, before);
}

export function changeOfCount(now: number, before: number): Change {
  const noise = Math.max(
    NOISE_DEVIATIONS * Math.sqrt(now + before),
    NOISE_SHARE * Math.max(now, before),
  );
  if (now === before) return { kind: "asBefore" };
  if (before === 0) return { kind: "new" };
  return Math.abs(now - before) <= noise ? { kind: "asBefore" } : changeOfRatio(now, before);
}

/** Of figures that are no counts, such as views per visit. */
export function changeOfMean(now: number, before: number): Change {
  const share = before === 0 ? 0 : Math.abs(now - before) / before;
  return share < 2 * NOISE_SHARE ? { kind: "asBefore" } : changeOfRatio(now, before);
}

export function changeOfShare(now: number, before: number): Change {
  const points = (now - before) * 100;
  if (Math.abs(points) < NOISE_POINTS) return { kind: "asBefore" };
  return { kind: "points", points, isWorse: points > 0 };
}

export function changeOfDuration(nowMs: number, beforeMs: number): Change {
  const durationMs = nowMs - beforeMs;
  return Math.abs(durationMs) < NOISE_MS ? { kind: "asBefore" } : { kind: "duration", durationMs };
}

function changeOfRatio(now: number, before: number): Change {
  const ratio = now / before;
  if (ratio > TIMES_FROM) return { kind: "times", ratio };
  return { kind: "share", share: ratio - 1 };
}
