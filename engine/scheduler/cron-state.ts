/**
 * Owns: how a cron's next slot is kept among the engine's own keys.
 * Not: when the slot is moved (crons.ts).
 */
import type { CronSpec, SystemTransaction } from "../application.ts";
import { afterPrefix, encodeKey } from "../values/keys.ts";

/** `scheduleJson` tells whether a deployment changed the schedule; `nextRunAt` is epoch ms. */
export type CronState = { readonly scheduleJson: string; readonly nextRunAt: number };

const CRONS = encodeKey("crons");
const PAGE_PAIRS = 100;

/** A tuple, so that ("a", "bc") and ("ab", "c") are two crons. */
export function cronKey(spec: Pick<CronSpec, "componentPath" | "name">): string {
  return CRONS + encodeKey(spec.componentPath) + encodeKey(spec.name);
}

/** By their keys, also those of crons that are gone from the code. */
export function readCronStates(transaction: SystemTransaction): Map<string, CronState> {
  const states = new Map<string, CronState>();
  let lo = CRONS;
  for (;;) {
    const page = transaction.range(lo, afterPrefix(CRONS), PAGE_PAIRS);
    for (const [key, value] of page) states.set(key, parseState(value));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_PAIRS) return states;
    lo = `${last[0]}\0`;
  }
}

export function readCronState(transaction: SystemTransaction, key: string): CronState | undefined {
  const value = transaction.get(key);
  return value === undefined ? undefined : parseState(value);
}

export function writeCronState(
  transaction: SystemTransaction,
  key: string,
  state: CronState,
): void {
  const { scheduleJson, nextRunAt } = state;
  transaction.put(key, JSON.stringify({ scheduleJson, nextRunAt } satisfies CronState));
}

function parseState(value: string): CronState {
  const { scheduleJson, nextRunAt } = JSON.parse(value) as Partial<CronState>;
  if (typeof scheduleJson !== "string" || typeof nextRunAt !== "number") {
    throw new Error(`The stored state of a cron is malformed: ${value}.`);
  }
  return { scheduleJson, nextRunAt };
}
