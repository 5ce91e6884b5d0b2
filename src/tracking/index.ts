/** Owns: what a site imports to be counted. Not: any of it. */
export { isOptedOut, optIn, optOut } from "./browser.ts";
export { usePageTracking, type PageTracking } from "./usePageTracking.ts";
