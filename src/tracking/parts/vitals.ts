/**
 * Owns: Web Vitals as a part of the report of a view. Not: measuring them, which Google's web-vitals does.
 *
 * They are of a page load, and so of its first view; of what is shown in its place later they say nothing. A page that
 * comes back from the back/forward cache is measured anew.
 */
import { onCLS, onFCP, onINP, onLCP, onTTFB, type Metric } from "web-vitals";
import type { Vitals } from "../view-report.ts";
import type { Part } from "./part.ts";

const FIELDS = {
  CLS: "cls",
  FCP: "fcpMs",
  INP: "inpMs",
  LCP: "lcpMs",
  TTFB: "ttfbMs",
} as const satisfies Record<Metric["name"], keyof Vitals>;

/** A score is a small fraction; the others are whole milliseconds. */
function rounded(name: Metric["name"], value: number): number {
  return name === "CLS" ? Math.round(value * 1e4) / 1e4 : Math.round(value);
}

/** The library hears a page for good; who starts again on it hears of what it says. */
const MEASURED = "footfall:vital";
let isHeard = false;

function hearOnce() {
  if (isHeard) return;
  isHeard = true;
  const tell = (metric: Metric) =>
    window.dispatchEvent(new CustomEvent(MEASURED, { detail: metric }));
  // Each change, because a view ends without a word to the library when the path changes.
  for (const measure of [onCLS, onFCP, onINP, onLCP, onTTFB])
    measure(tell, { reportAllChanges: true });
}

export const vitals: Part = ({ onView, listen, reportFields, isAgain }) => {
  /** Whether the view that is open, or the first one to come, is that of a page load. */
  let isMeasured = !isAgain;
  let views = 0;
  let isLoaded = !isAgain;

  onView((eventId) => {
    if (!eventId) return;
    if (views) reportFields.vitals = undefined;
    views += 1;
    isMeasured = isLoaded;
    isLoaded = false;
  });
  listen("pagehide", () => {
    isLoaded = true;
  });

  function add({ name, value }: Metric) {
    if (isMeasured)
      reportFields.vitals = { ...reportFields.vitals, [FIELDS[name]]: rounded(name, value) };
  }
  listen(MEASURED, (event) => add((event as CustomEvent<Metric>).detail));
  hearOnce();
};
