/**
 * Owns: what a part may ask of the tracker that it belongs to: the one seam between them.
 * Not: the trackers (script.ts, hook-tracker.ts), or any part.
 */
import type { ReportFields, SendReport } from "../view-report.ts";
import type { TrackEvent } from "../events.ts";
import type { Commands } from "../page-api.ts";

export type PartCore = {
  /** Counted with the view of the page that is open: sent after it. */
  sendEvent: TrackEvent;
  /** Sent at once or lost: the next one says it again. */
  sendReport: SendReport;
  /** Calls back with nothing when the view so far is over, and with its id when the next one has been sent. */
  onView: (listener: (eventId?: string) => void) => void;
  currentPath: () => string;
  /** Listens on the window, before the page does, or after it when `isLate`. Names are separated by blanks. */
  listen: (names: string, listener: (event: Event) => void, isLate?: boolean) => void;
  /** What parts add to the reports of the view that is open. */
  reportFields: ReportFields;
  /** The click that is a download already, and so no outbound link. */
  takenClick?: Event;
  /** True of a tracker that starts again within one page load: what is of the load has been told by the one before. */
  isAgain?: boolean | undefined;
  /** Hosts, separated by blanks, that are the site's own besides the one that the page is on. */
  ownHosts: string | undefined;
};

/** What only the script has: the hook is asked by functions of its own (browser.ts). */
export type ScriptCore = PartCore & {
  /** What the page may call, to add to. */
  commands: Commands;
  /** Values that the browser did not keep (kept-storage.ts). */
  inMemory: Record<string, string>;
  /** Something may have changed (tracker.ts). */
  look: () => void;
};

/** Called once, before the first view. What it hears of ends with its tracker. */
export type Part = (core: PartCore) => void;
