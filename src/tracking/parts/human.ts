/**
 * Owns: hearing of the first input after a view, and of the first that no program made, which has the last word.
 * Not: the verdict on it (human-probe.ts).
 */
import { humanVerdict } from "../human-probe.ts";
import type { Part } from "./part.ts";

export const human: Part = ({ onView, listen, reportFields }) => {
  let seenAt = 0;
  let isSettled = false;
  onView((eventId) => {
    if (!eventId) return;
    seenAt = performance.now();
    isSettled = false;
    reportFields.human = undefined;
  });
  listen("pointerdown keydown touchstart wheel", ({ isTrusted }) => {
    if (isSettled) return;
    isSettled = isTrusted;
    reportFields.human = humanVerdict(performance.now() - seenAt, isTrusted);
  });
};
