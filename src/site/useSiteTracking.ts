/** Owns: telling the tracker which page of this site is open. Not: when that is a view (src/tracking). */
import { useLocation } from "react-router-dom";
import { usePageTracking } from "../tracking/usePageTracking.ts";
import { httpActionsUrl } from "./backend.ts";
import { pageTypeOf } from "./routes.ts";

export function useSiteTracking(): void {
  const { pathname } = useLocation();
  usePageTracking({ path: pathname, pageType: pageTypeOf(pathname), siteUrl: httpActionsUrl });
}
