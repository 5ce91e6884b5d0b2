/**
 * Owns: when a page that shows live numbers says that somebody watches. Not: what the server does with it
 * (convex/stats.ts).
 */
import { useMutation } from "convex/react";
import { useEffect, useState } from "react";
import { api } from "../../convex/_generated/api.js";
import { WATCH_INTERVAL_MS } from "../../domain/intervals.ts";

/** What the page offers: the beat itself, its visibility, and timers. */
export type Watcher = {
  /** Resolves when the server has it. While offline that is much later: beats must not pile up meanwhile. */
  readonly beat: () => Promise<unknown>;
  readonly isVisible: () => boolean;
  /** Heard when the page is hidden or shown again; gives back how to stop listening. */
  readonly onVisibility: (listener: () => void) => () => void;
  readonly onFailure: (failure: unknown) => void;
};

/** Beats at once and then every WATCH_INTERVAL_MS while the page is visible; stops when hidden, resumes at once. */
export function startWatching(watcher: Watcher): () => void {
  let timer: ReturnType<typeof setInterval> | null = null;
  let isInFlight = false;

  const beat = () => {
    if (isInFlight) return;
    isInFlight = true;
    watcher
      .beat()
      .catch(watcher.onFailure)
      .finally(() => {
        isInFlight = false;
      });
  };
  const stop = () => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const follow = () => {
    stop();
    if (!watcher.isVisible()) return;
    beat();
    timer = setInterval(beat, WATCH_INTERVAL_MS);
  };

  follow();
  const stopListening = watcher.onVisibility(follow);
  return () => {
    stopListening();
    stop();
  };
}

/** A random id for this tab; crypto.randomUUID is missing on plain http addresses. */
export function createWatcherId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Says so for as long as the component is there and its page is in sight. `asked` must be the same object for as long as it says the same. */
export function useWatching(asked: { site?: string; token?: string }): void {
  const watch = useMutation(api.stats.watch);
  const [watcherId] = useState(createWatcherId);
  useEffect(
    () =>
      startWatching({
        beat: () => watch({ ...asked, watcherId }),
        isVisible: () => document.visibilityState === "visible",
        onVisibility: (listener) => {
          document.addEventListener("visibilitychange", listener);
          return () => document.removeEventListener("visibilitychange", listener);
        },
        onFailure: (failure) => console.warn("Footfall: the watch beat was refused.", failure),
      }),
    [watch, asked, watcherId],
  );
}
