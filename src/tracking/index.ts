/** Owns: what a site imports to be counted. Not: any of it. */
export { isOptedOut, optIn, optOut } from "./browser.ts";
export { Footfall } from "./Footfall.tsx";
export { usePageTracking, type PageTracking } from "./usePageTracking.ts";
