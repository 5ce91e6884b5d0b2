/** Owns: what a site imports to be counted. Not: any of it. */
export { isOptedOut, optIn, optOut, track } from "./browser.ts";
export type { EventOptions, EventProperties, TrackEvent } from "./events.ts";
export { Footfall } from "./Footfall.tsx";
export { downloads as fileDownloads } from "./parts/downloads.ts";
export { engagement } from "./parts/engagement.ts";
export { forms as formSubmits } from "./parts/forms.ts";
export { human as humanProbe } from "./parts/human.ts";
export { notFound as notFoundPages } from "./parts/not-found.ts";
export { outbound as outboundLinks } from "./parts/outbound.ts";
export type { Part } from "./parts/part.ts";
export { tagged as taggedElements } from "./parts/tagged.ts";
export { vitals as webVitals } from "./parts/vitals.ts";
export { usePageTracking, type PageTracking } from "./usePageTracking.ts";
export { useLiveCount, type LiveCount } from "./useLiveCount.ts";
export { useTrackEvent, type EventTracking } from "./useTrackEvent.ts";
