/**
 * Owns: what a page tells of how it is read, and when that is said: when it is hidden, and when its view is over.
 * Not: the sums (engaged-time.ts, view-report.ts), and what other parts add (vitals.ts, human.ts).
 *
 * `visibilitychange` comes also when a page is closed or left. It is heard late, when web-vitals has said its last.
 */
import { createEngagedTime } from "../engaged-time.ts";
import { createViewReport } from "../view-report.ts";
import type { Part } from "./part.ts";

/** To measure a page may make the browser lay it out: other inputs than scrolling do it no more often than this. */
const MEASURED_EVERY_MS = 1_000;

/** Browsers move a pointer that rests, when the page moves under it: that is no input. */
function isByReader(event: Event): boolean {
  const { movementX, movementY } = event as PointerEvent;
  const isResting = event.type === "pointermove" && !movementX && !movementY;
  return event.isTrusted && !isResting;
}

export const engagement: Part = (core) => {
  const now = () => performance.now();
  const time = createEngagedTime(now);
  const report = createViewReport(core.sendReport);
  let path: string;
  /** A view's first input is measured, however soon it comes. */
  let measuredAt = -MEASURED_EVERY_MS;

  const note = (isInput?: boolean) => time.note(!document.hidden && document.hasFocus(), isInput);

  function measure() {
    measuredAt = now();
    // A router that shows the next page before it is a view must not give its height to this one.
    if (core.currentPath() === path)
      report.seen(scrollY + innerHeight, document.documentElement.scrollHeight);
  }

  function say() {
    note();
    report.say(time.readMs(), core.reportFields);
  }

  core.onView((viewId) => {
    if (viewId) note();
    else say();
    time.restart();
    measuredAt = -MEASURED_EVERY_MS;
    report.begin(viewId, (path = core.currentPath()));
  });
  core.listen("pointermove pointerdown keydown wheel touchmove", (event) => {
    if (!isByReader(event)) return;
    note(true);
    if (now() - measuredAt > MEASURED_EVERY_MS) measure();
  });
  core.listen("scroll", measure);
  core.listen("focus blur", () => note());
  core.listen(
    "visibilitychange",
    () => {
      if (!document.hidden) return note();
      measure();
      say();
    },
    true,
  );
};
