/**
 * Owns: hearing of the first input after a view. Not: the verdict on it (human-probe.ts).
 */
import { humanVerdict } from "../human-probe.ts";
import type { Part } from "./part.ts";

export const human: Part = ({ onView, listen, reportFields }) => {
  let seenAt = 0;
  onView((eventId) => {
    if (!eventId) return;
    seenAt = performance.now();
    reportFields.human = undefined;
  });
  listen("pointerdown keydown touchstart wheel", ({ isTrusted }) => {
    reportFields.human ??= humanVerdict(performance.now() - seenAt, isTrusted);
  });
};
