/**
 * Owns: the React side of events: a function for the components of a page.
 * Not: what becomes of an event (hook-tracker.ts), and following the page (usePageTracking.ts).
 */
import { type ConvexReactClient, useConvex } from "convex/react";
import { useMemo } from "react";
import { trackerOf } from "./browser.ts";
import type { TrackEvent } from "./events.ts";

export type EventTracking = {
  /** Slug of the site, as `usePageTracking` has it; whichever site is followed when absent. */
  site?: string | undefined;
  /** The client that sends; that of the surrounding ConvexProvider when absent. */
  client?: ConvexReactClient | undefined;
};

/** The same function from render to render: `track("Signup", { plan: "pro" })`. Something must follow the page as well. */
export function useTrackEvent({ site, client }: EventTracking = {}): TrackEvent {
  const surrounding: ConvexReactClient | undefined = useConvex();
  const sender = client ?? surrounding;
  return useMemo(() => trackerOf({ client: sender, site }), [sender, site]);
}
