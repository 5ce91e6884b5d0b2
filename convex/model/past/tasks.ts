/** Owns: the shapes of the work at hand on a site's past. Not: the work. */
import type { Infer } from "convex/values";
import type { dayTask, proofTask } from "../../schema.ts";

export type DayTask = Infer<typeof dayTask>;
export type ProofTask = Infer<typeof proofTask>;

/** A day at work, from its beginning. */
export function beginDay(
  purpose: DayTask["purpose"],
  { startsAt, endsAt }: { startsAt: number; endsAt: number },
  isForced = false,
): DayTask {
  const phase = purpose === "seal" ? "finish" : "scan";
  return { purpose, startsAt, endsAt, phase, cursor: null, upTo: 0n, rows: 0, isForced };
}
