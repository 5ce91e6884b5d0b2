/**
 * Owns: the hook as a component, for whoever would rather put it into the tree than into a function.
 * Not: anything that the hook does (usePageTracking.ts).
 */
import { usePageTracking, type PageTracking } from "./usePageTracking.ts";

/** Shows nothing. `pageType` is "page" when absent; all else as for `usePageTracking`. */
export function Footfall({
  pageType = "page",
  ...tracking
}: Omit<PageTracking, "pageType"> & { pageType?: string | undefined }): null {
  usePageTracking({ pageType, ...tracking });
  return null;
}
