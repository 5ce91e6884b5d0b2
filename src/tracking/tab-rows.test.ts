import { describe, expect, test } from "vitest";
import { HEARTBEAT_DEBOUNCE_MS, HEARTBEAT_INTERVAL_MS } from "../../domain/intervals.ts";
import { beatDueAt, rowFrom, TAKEOVER_STEP_MS, textOf, type TabRow } from "./tab-rows.ts";

const now = Date.UTC(2026, 0, 1);

function row(tabId: string, fields: Partial<TabRow>): TabRow {
  const state = "visible";
  return { tabId, state, actedAt: now, aliveAt: now, saidAt: now, saidPath: "/a", ...fields };
}

describe("when a tab has to beat", () => {
  test("an interval after the browser's last sign of life, whichever tab gave it", () => {
    const me = row("me", { actedAt: now - 1, saidAt: now - 20_000 });
    const other = row("other", { actedAt: now - 2, saidAt: now - 10_000 });
    expect(beatDueAt(me, [other], "/a", now)).toBe(now - 10_000 + HEARTBEAT_INTERVAL_MS);
  });

  test("later by a step for each tab in which the reader did something after", () => {
    const me = row("me", { actedAt: now - 2 });
    const others = [
      row("b", { actedAt: now - 1 }),
      row("c", {}),
      row("d", { actedAt: now - 3 }),
      row("e", { state: "hidden" }),
      row("f", { state: "closed", aliveAt: now - 1 }),
    ];
    const dueAt = now + HEARTBEAT_INTERVAL_MS + 2 * TAKEOVER_STEP_MS;
    expect(beatDueAt(me, others, "/a", now)).toBe(dueAt);
  });

  test("two tabs never share a place, also when the reader did something in both at once", () => {
    const [a, b] = [row("a", {}), row("b", {})];
    expect(beatDueAt(a, [b], "/a", now)).not.toBe(beatDueAt(b, [a], "/a", now));
  });

  test("at the end of the debounce when it leads and the visitor is shown elsewhere", () => {
    const me = row("me", { saidAt: now - 20_000 });
    const other = row("other", { actedAt: now - 1, saidAt: now - 1_000, saidPath: "/b" });
    expect(beatDueAt(me, [other], "/a", now)).toBe(now - 1_000 + HEARTBEAT_DEBOUNCE_MS);
    expect(beatDueAt(other, [me], "/b", now)).toBeGreaterThan(now + HEARTBEAT_DEBOUNCE_MS);
  });

  test.each(["closed", "left"] as const)(
    "soon after another tab %s, but not within the debounce",
    (state) => {
      const me = row("me", { saidAt: now - 20_000 });
      const gone = row("gone", { state, saidAt: now - 10_000, aliveAt: now });
      expect(beatDueAt(me, [gone], "/a", now)).toBe(now + TAKEOVER_STEP_MS);
      gone.saidAt = now - 2_000;
      expect(beatDueAt(me, [gone], "/a", now)).toBe(now - 2_000 + HEARTBEAT_DEBOUNCE_MS);
    },
  );

  test("never while it is hidden, except that it takes over from a tab that went", () => {
    const me = row("me", { state: "hidden", saidAt: now - 20_000 });
    const gone = row("gone", { state: "closed", saidAt: now - 10_000, aliveAt: now });
    const shown = row("shown", { saidAt: now - 10_000 });
    expect(beatDueAt(me, [], "/a", now)).toBeNull();
    expect(beatDueAt(me, [shown], "/a", now)).toBeNull();
    expect(beatDueAt(me, [gone], "/a", now)).toBe(now + TAKEOVER_STEP_MS);
    expect(beatDueAt(me, [gone, shown], "/a", now)).toBe(now + 2 * TAKEOVER_STEP_MS);
  });

  test("at once when all it knows was said lies in the future: the clock was set back", () => {
    const me = row("me", { saidAt: now + 7_200_000 });
    expect(beatDueAt(me, [], "/a", now)).toBeLessThan(now);
  });
});

describe("a row", () => {
  test("comes back from its text as it was, whatever the path holds", () => {
    for (const saidPath of ["/a", "", "/\n/\n", "/ä😀", "visible\n1"]) {
      const written = row("tab", { saidPath });
      expect(rowFrom("tab", textOf(written))).toEqual(written);
    }
  });

  test.each([null, "", "{}", "visible", "shown\n1\n2\n3\n/a", "visible\n1\nx\n3\n/a"])(
    "is not read from %j",
    (text) => {
      expect(rowFrom("tab", text)).toBeNull();
    },
  );
});
