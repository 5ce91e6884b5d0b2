/**
 * Owns: the path in the address bar, for pages that do not name theirs.
 * Not: what a change of it means (tracker.ts).
 */

export function currentPath(): string {
  return window.location.pathname;
}

/**
 * Calls back when the path may have changed. A router's `pushState` tells nobody but the Navigation API; where a
 * browser lacks that, the next render of the component sees the new path.
 */
export function followPath(onChange: () => void): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("popstate", onChange, { signal });
  const navigation: unknown = Reflect.get(window, "navigation");
  if (navigation instanceof EventTarget)
    navigation.addEventListener("currententrychange", onChange, { signal });
  return () => listening.abort();
}
