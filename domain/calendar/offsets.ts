/**
 * Owns: how far a zone's local time is ahead of UTC at an instant, and when that changes.
 * Not: buckets (buckets.ts), names of zones that people type (zones.ts).
 *
 * `Intl.DateTimeFormat` knows the rules but takes about a microsecond a question. Offsets are
 * therefore learnt once per stretch of about 400 days and then read from a small table.
 */

/** From `at` on, local time is `afterMs` ahead of UTC; just before it was `beforeMs`. */
export interface Transition {
  at: number;
  beforeMs: number;
  afterMs: number;
}

export interface Offsets {
  offsetAt(at: number): number;
  /** Changes of the offset in (after, until], ascending. */
  transitionsIn(after: number, until: number): Transition[];
}

interface Stretch {
  firstOffsetMs: number;
  transitions: Transition[];
}

const STRETCH_MS = 2 ** 35;

/** Shorter than any two changes of one zone lie apart: the closest since 1970 are a week (America/Boa_Vista, 2000). */
const SAMPLE_MS = 24 * 3_600_000;

export function offsetsOf(timeZone: string): Offsets {
  const askOffset = intlOffset(timeZone);
  const stretches = new Map<number, Stretch>();

  function stretchAt(index: number): Stretch {
    const known = stretches.get(index);
    if (known !== undefined) return known;
    const learnt = learnStretch(askOffset, index * STRETCH_MS, (index + 1) * STRETCH_MS);
    stretches.set(index, learnt);
    return learnt;
  }

  return {
    offsetAt(at) {
      const stretch = stretchAt(Math.floor(at / STRETCH_MS));
      let offsetMs = stretch.firstOffsetMs;
      for (const transition of stretch.transitions) {
        if (transition.at > at) break;
        offsetMs = transition.afterMs;
      }
      return offsetMs;
    },
    transitionsIn(after, until) {
      const found: Transition[] = [];
      const last = Math.floor(until / STRETCH_MS);
      for (let index = Math.floor(after / STRETCH_MS); index <= last; index++) {
        for (const transition of stretchAt(index).transitions) {
          if (transition.at > after && transition.at <= until) found.push(transition);
        }
      }
      return found;
    },
  };
}

/** The stretch begins one sample early, so that a change exactly at its first instant is seen as a change. */
function learnStretch(askOffset: (at: number) => number, from: number, until: number): Stretch {
  const transitions: Transition[] = [];
  let at = from - SAMPLE_MS;
  let offsetMs = askOffset(at);
  while (at < until) {
    const next = Math.min(at + SAMPLE_MS, until - 1);
    const nextOffsetMs = askOffset(next);
    if (nextOffsetMs !== offsetMs) {
      const changedAt = bisect(askOffset, at, next);
      const afterMs = askOffset(changedAt);
      if (changedAt >= from) transitions.push({ at: changedAt, beforeMs: offsetMs, afterMs });
      at = changedAt;
      offsetMs = afterMs;
      continue;
    }
    if (next === until - 1) break;
    at = next;
  }
  return { firstOffsetMs: transitions[0]?.beforeMs ?? offsetMs, transitions };
}

/** The first instant in (low, high] whose offset is not that of `low`; offsets change on whole seconds. */
function bisect(askOffset: (at: number) => number, low: number, high: number): number {
  const lowOffsetMs = askOffset(low);
  let before = Math.floor(low / 1000);
  let after = Math.ceil(high / 1000);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (askOffset(middle * 1000) === lowOffsetMs) before = middle;
    else after = middle;
  }
  return after * 1000;
}

function intlOffset(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (at) => {
    const wholeSecond = Math.floor(at / 1000) * 1000;
    const fields = format.format(wholeSecond).match(/\d+/g);
    if (fields === null) throw new Error(`No local time for ${at} in zone "${timeZone}".`);
    const [month, day, year, hour, minute, second] = fields.map(Number);
    const local = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
    return local - wholeSecond;
  };
}
