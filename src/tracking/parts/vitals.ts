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

export const vitals: Part = ({ onView, listen, reportFields }) => {
  /** Whether the view that is open, or the first one to come, is that of a page load. */
  let isMeasured = true;
  let views = 0;
  let isLoaded = true;

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
  // Each change, because a view ends without a word to the library when the path changes.
  for (const measure of [onCLS, onFCP, onINP, onLCP, onTTFB])
    measure(add, { reportAllChanges: true });
};
