/** Owns: telling the tracker which page of this site is open. Not: when that is a view (src/tracking). */
import { useLocation } from "react-router-dom";
import { usePageTracking } from "../tracking/index.ts";
import { httpActionsUrl } from "./backend.ts";
import { pageTypeOf, type PageType } from "./routes.ts";
import { texts } from "./texts.ts";

const titles: Partial<Record<PageType, string>> = texts.pageTitles;

export function useSiteTracking(): void {
  const { pathname } = useLocation();
  const pageType = pageTypeOf(pathname);
  usePageTracking({
    path: pathname,
    pageType,
    title: titles[pageType],
    siteUrl: httpActionsUrl,
  });
}
