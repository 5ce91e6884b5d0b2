/**
 * Owns: the React side of tracking: a component says which page is open.
 * Not: what is a view, a beat or a leave (tracker.ts).
 */
import { type ConvexReactClient, useConvex } from "convex/react";
import { useEffect, useSyncExternalStore } from "react";
import type { VisitorMode } from "../../domain/visitor-modes.ts";
import { holdingFor } from "./browser.ts";
import { followPath, currentPath } from "./current-path.ts";
import type { Part } from "./parts/part.ts";

export type PageTracking = {
  /** The path that is shown, e.g. `pathname` of the router's location. The browser's own when absent. */
  path?: string | undefined;
  /** A short word for the kind of page: "home", "post", "page", "stats", … */
  pageType: string;
  title?: string | undefined;
  /** Slug of the site; the deployment's default site when absent. */
  site?: string | undefined;
  /** False: this component counts nothing. */
  enabled?: boolean | undefined;
  /** The client that sends; that of the surrounding ConvexProvider when absent. */
  client?: ConvexReactClient | undefined;
  /** Where the deployment's HTTP routes answer; derived from the client's address when absent. */
  siteUrl?: string | undefined;
  /** localStorage key of the visitor's id; "footfall_session_id" when absent. */
  sessionIdKey?: string | undefined;
  /** What is counted besides views, e.g. `[outboundLinks, engagement]`. Those of the first component that has the page stay. */
  parts?: readonly Part[] | undefined;
  /** Hosts, separated by blanks, that are the site's own: links to them are not outbound. */
  ownHosts?: string | undefined;
  /** "daily" or "none" where the site's visitor mode is that: then nothing is kept in the browser. */
  visitors?: VisitorMode | undefined;
};

/**
 * Counts the page that is open as a view, and keeps its visitor online while it can be seen. Any number of
 * components may use it; a path counts once, however often they render. Without a client it does nothing.
 */
export function usePageTracking(tracking: PageTracking): void {
  const {
    pageType,
    title,
    site,
    enabled = true,
    siteUrl,
    sessionIdKey,
    visitors,
    parts,
    ownHosts,
  } = tracking;
  const surrounding: ConvexReactClient | undefined = useConvex();
  const client = tracking.client ?? surrounding;
  const shownPath = useSyncExternalStore(followPath, currentPath, () => "/");
  const path = tracking.path ?? shownPath;

  useEffect(() => {
    if (!enabled || client === undefined) return;
    const holding = holdingFor({ client, site, siteUrl, sessionIdKey, visitors, parts, ownHosts });
    holding.hold({ path, pageType, title });
    return () => holding.release();
    // A list of parts that is written anew at each render holds the page anew, which sends nothing.
    // prettier-ignore
  }, [
    enabled,
    client,
    site,
    siteUrl,
    sessionIdKey,
    visitors,
    parts,
    ownHosts,
    path,
    pageType,
    title,
  ]);
}
