import fc from "fast-check";
import { expect, test } from "vitest";
import { ENGAGED_IDLE_MS } from "../../domain/intervals.ts";
import { createEngagedTime } from "./engaged-time.ts";

/** A reader in front of a page, and beside it, in the simplest words, how long they read. */
function createReader() {
  let clockMs = 0;
  let realMs = 0;
  let isAttended = false;
  let lastInputMs = -Infinity;
  let attendedMs = 0;
  let engagedMs = 0;
  const time = createEngagedTime(() => clockMs);
  return {
    time,
    attendedMs: () => attendedMs,
    engagedMs: () => engagedMs,
    /** The page's clock may stand still or go back, and never goes faster than time does. */
    pass(ms: number, clockStepMs = ms) {
      if (isAttended) {
        attendedMs += ms;
        const idleMs = lastInputMs + ENGAGED_IDLE_MS;
        engagedMs += Math.max(0, Math.min(realMs + ms, idleMs) - realMs);
      }
      realMs += ms;
      clockMs += clockStepMs;
    },
    turn(to: boolean) {
      if (to && !isAttended) lastInputMs = realMs;
      isAttended = to;
      time.note(isAttended);
    },
    touch() {
      lastInputMs = realMs;
      time.note(isAttended, true);
    },
    read() {
      time.note(isAttended);
      return time.readMs();
    },
  };
}

test("C54: a page that is read for 6 minutes with a hand on the mouse is 360 s of engaged time", () => {
  const reader = createReader();
  reader.turn(true);
  for (let move = 0; move < 36; move += 1) {
    reader.pass(10_000);
    reader.touch();
  }
  expect(reader.read()).toBe(360_000);
});

test("C55: a page that is hidden for 11 hours adds nothing, and neither does one that nobody touches for a minute", () => {
  const reader = createReader();
  reader.turn(true);
  reader.pass(5_000);
  reader.turn(false);
  reader.pass(11 * 60 * ENGAGED_IDLE_MS);
  expect(reader.read()).toBe(5_000);
  reader.turn(true);
  reader.pass(11 * 60 * ENGAGED_IDLE_MS);
  expect(reader.read()).toBe(5_000 + ENGAGED_IDLE_MS);
});

test("a view that begins starts at nothing, in the middle of reading", () => {
  const reader = createReader();
  reader.turn(true);
  reader.pass(7_000);
  reader.read();
  reader.time.restart();
  reader.pass(2_000);
  expect(reader.read()).toBe(2_000);
});

const ms = fc.oneof(fc.nat({ max: 5_000 }), fc.nat({ max: 200_000 }));
const anyStep = fc.oneof(
  fc.record({ do: fc.constant("pass" as const), ms, lagMs: fc.nat({ max: 300_000 }) }),
  fc.record({ do: fc.constant("turn" as const), to: fc.boolean() }),
  fc.record({ do: fc.constantFrom("touch" as const, "read" as const) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;
const anyHistory = fc.array(anyStep, { maxLength: 60 });

function take(reader: ReturnType<typeof createReader>, step: Step, isClockHonest: boolean) {
  switch (step.do) {
    case "pass":
      return reader.pass(step.ms, isClockHonest ? step.ms : step.ms - step.lagMs);
    case "turn":
      return reader.turn(step.to);
    case "touch":
      return reader.touch();
    case "read":
      return void reader.read();
  }
}

test("any history: the figure never falls, and never exceeds the time in which the page was attended to, whatever its clock does", () => {
  fc.assert(
    fc.property(anyHistory, fc.boolean(), (history, isHonest) => {
      const reader = createReader();
      let before = 0;
      for (const step of history) {
        take(reader, step, isHonest);
        const read = reader.read();
        expect(read).toBeGreaterThanOrEqual(before);
        expect(read).toBeLessThanOrEqual(reader.attendedMs());
        before = read;
      }
    }),
  );
});

test("any history: with a clock that runs, it is the attended time up to a minute after the last input, however often it is read", () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      const reader = createReader();
      for (const step of history) {
        take(reader, step, true);
        if (step.do === "read") expect(reader.read()).toBe(reader.engagedMs());
      }
      expect(reader.read()).toBe(reader.engagedMs());
    }),
  );
});
