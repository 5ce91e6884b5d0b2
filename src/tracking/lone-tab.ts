/**
 * Owns: when a tab beats that knows of no other: the smallest script has no more.
 * Not: other tabs (tab-note.ts, open-tabs.ts). It always leaves: what another tab has said since, the server keeps.
 */
import { HEARTBEAT_INTERVAL_MS } from "../../domain/intervals.ts";
import { NEVER_MS, type Tabs } from "./tabs.ts";

/** `now` is of a clock that nobody sets. */
export function createLoneTab(now: () => number): Tabs {
  let saidAt = 0;
  return {
    say() {
      saidAt = now();
    },
    waitMs: (_path, isVisible) => (isVisible ? HEARTBEAT_INTERVAL_MS + saidAt - now() : NEVER_MS),
    leave: (ofThisTab) => ofThisTab,
  };
}
