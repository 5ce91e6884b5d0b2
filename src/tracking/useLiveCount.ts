/**
 * Owns: "12 reading now" for any page of a React site, live.
 * Not: who is online (convex/model/presence.ts), and how a site says it.
 */
import { useQueries } from "convex/react";
import { useMemo } from "react";
import { api } from "../../convex/_generated/api.js";
import { useWatching } from "./watching.ts";

export type LiveCount = {
  /** Who is on this page alone, as `usePageTracking` names it; on the whole site when absent. */
  path?: string | undefined;
  /** Slug of the site; the deployment's default site when absent. */
  site?: string | undefined;
  /** Where the site's statistics want one. It is in the page for everybody who reads it: give one that may be. */
  token?: string | undefined;
};

/**
 * How many are online, at most two seconds behind; undefined until that is known, and while it cannot be; null where
 * the site tells nobody apart. While anybody sees a number, the site counts as watched: its worker runs every second
 * in which something happens, instead of every five minutes.
 */
export function useLiveCount({ path, site, token }: LiveCount = {}): number | null | undefined {
  const reader = useMemo(
    () => ({
      ...(site === undefined ? {} : { site }),
      ...(token === undefined ? {} : { token }),
    }),
    [site, token],
  );
  const asked = useMemo(() => {
    const args = path === undefined ? reader : { ...reader, path };
    return { count: { query: api.stats.countOnline, args } };
  }, [reader, path]);
  useWatching(reader);
  // A page must not break because a number beside it cannot be read; the client logs why.
  const { count }: { count?: number | null | Error } = useQueries(asked);
  return count instanceof Error ? undefined : count;
}
