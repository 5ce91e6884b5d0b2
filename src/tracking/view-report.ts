/**
 * Owns: what is said of a view besides that it was one: cumulative figures, said only when they have changed.
 * Not: where they come from (engaged-time.ts, parts/), and when they are said (parts/engagement.ts).
 *
 * Every figure is that of the view so far and never falls, so a report that is lost, late or sent twice does no harm.
 */
import type { HumanVerdict } from "../../domain/engagement/human.ts";

/** https://web.dev/articles/vitals, of the page load that the view began with. */
export type Vitals = {
  lcpMs?: number;
  inpMs?: number;
  cls?: number;
  fcpMs?: number;
  ttfbMs?: number;
};

export type ReportFields = { vitals?: Vitals | undefined; human?: HumanVerdict | undefined };

export type Engagement = {
  path: string;
  /** The event id of the view. */
  viewId: string;
  engagedMs: number;
  /** 0 to 100: how far down the page has been on the screen. */
  scrollPercent: number;
} & ReportFields;

export type ViewReport = {
  /** A view begins; with no id there is none, and nothing is said. */
  begin: (viewId: string | undefined, path: string) => void;
  /** The page has been seen down to `bottom` of its `height`, both CSS pixels. */
  seen: (bottom: number, height: number) => void;
  /** Sends the figures, if any is another than before. */
  say: (engagedMs: number, fields: ReportFields) => void;
};

/** Anything but nothing: it was not sent, because the reader has opted out. */
export type SendReport = (report: Engagement) => unknown;

export function createViewReport(send: SendReport): ViewReport {
  let viewId: string | undefined;
  let path = "";
  let said = "";
  let lowest = 0;
  let height = 0;
  let scrollPercent = 0;
  return {
    begin(nextViewId, nextPath) {
      viewId = nextViewId;
      path = nextPath;
      said = "";
      lowest = height = scrollPercent = 0;
    },
    seen(bottom, ofHeight) {
      lowest = Math.max(lowest, bottom);
      height = ofHeight;
    },
    say(engagedMs, fields) {
      if (!viewId) return;
      // A page that grows as one reads has more to see than before; what has been said stands.
      if (height) {
        const percent = Math.round((100 * lowest) / height);
        scrollPercent = Math.max(scrollPercent, Math.min(100, percent));
      }
      const report = { path, viewId, engagedMs, scrollPercent, ...fields };
      const saying = JSON.stringify(report);
      if (saying === said) return;
      said = saying;
      // Who opts in again is counted from the next view on.
      if (send(report)) viewId = undefined;
    },
  };
}
