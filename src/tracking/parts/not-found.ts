/**
 * Owns: pages that are not there: those that the server answered with 404, and those that say so by
 * `<meta name="footfall" content="404">`, as a router does.
 * Not: other errors.
 */
import { addressOf } from "./links.ts";
import type { Part } from "./part.ts";

/** Where the reader came from, in as many words as the browser lets other pages know. */
function referrerProperty(): { referrer?: string } {
  if (!document.referrer) return {};
  const link = document.createElement("a");
  link.href = document.referrer;
  return { referrer: addressOf(link) };
}

export const notFound: Part = (core) => {
  const [loaded] = performance.getEntriesByType("navigation");
  const isOfLoad = !core.isAgain && loaded instanceof PerformanceNavigationTiming;
  let status = isOfLoad ? loaded.responseStatus : 0;
  core.onView((eventId) => {
    if (!eventId) return;
    const isMarked = document.querySelector('meta[name="footfall"][content="404"]');
    if (isMarked || status === 404)
      core.sendEvent(
        "404",
        { path: core.currentPath(), ...referrerProperty() },
        { interactive: false },
      );
    // The status is that of the first page, not of what is shown in its place later.
    status = 0;
  });
};
