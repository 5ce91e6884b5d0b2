/**
 * Owns: which lines about the machine itself are worth telling: how far behind it is, what it does, what is proved.
 * Not: their words (texts.ts) or elements (HealthLines.tsx).
 */
import type { Health } from "./stats.ts";

export type HealthLine =
  | { readonly kind: "behind"; readonly lagMs: number }
  | {
      readonly kind: "remaking" | "proving";
      readonly done: number;
      readonly left: number;
      readonly etaMs: number | null;
    }
  | { readonly kind: "stopped"; readonly job: "remaking" | "proving" }
  | { readonly kind: "setAside"; readonly rows: number }
  | { readonly kind: "proved"; readonly at: number; readonly views: number; readonly day: string }
  | { readonly kind: "drift"; readonly at: number; readonly figures: number }
  | { readonly kind: "repaired"; readonly at: number };

/** A run this late is no longer a matter of the clock's last second. */
const BEHIND_AFTER_MS = 15_000;

/** What an operator should see first comes first. */
export function healthLines({ health, lagMs }: { health: Health; lagMs: number }): HealthLine[] {
  const lines: HealthLine[] = [];
  if (lagMs > BEHIND_AFTER_MS) lines.push({ kind: "behind", lagMs });
  lines.push(...jobLines("remaking", health.reroll), ...jobLines("proving", health.proof));
  if (health.quarantined > 0) lines.push({ kind: "setAside", rows: health.quarantined });
  if (health.lastCheck !== null) lines.push(checkLine(health.lastCheck));
  return lines;
}

function jobLines(job: "remaking" | "proving", status: Health["reroll"]): HealthLine[] {
  if (status === null) return [];
  const { state, daysDone: done, daysLeft: left, etaMs } = status;
  if (state === "running") return [{ kind: job, done, left, etaMs }];
  if (state === "failed") return [{ kind: "stopped", job }];
  return [];
}

function checkLine(check: NonNullable<Health["lastCheck"]>): HealthLine {
  const { finishedAt: at, drift, isRepair, rows, from, to } = check;
  if (isRepair) return { kind: "repaired", at };
  if (drift > 0) return { kind: "drift", at, figures: drift };
  return { kind: "proved", at, views: rows, day: from === to ? from : `${from} to ${to}` };
}
