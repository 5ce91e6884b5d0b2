/**
 * Owns: the token with which this page reads, where the site wants one: `/stats#token=…`. It stands in the fragment,
 * which no browser sends to any server, and never in the query.
 * Not: whether it opens anything (convex/model/access.ts).
 */
import { useSyncExternalStore } from "react";

export type ReaderArguments = { token?: string };

const NO_TOKEN: ReaderArguments = {};

/** The token of a fragment such as `#token=fr_…`; "" when it has none. */
export function tokenIn(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token") ?? "";
}

let known = NO_TOKEN;

/** It stays known when a link within the site drops the fragment, for as long as the page is open. */
function readerArguments(): ReaderArguments {
  const token = tokenIn(window.location.hash);
  if (token !== "" && token !== known.token) known = { token };
  return known;
}

function onHashChange(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

/** What every question of /stats carries besides its own arguments. */
export function useReaderArguments(): ReaderArguments {
  return useSyncExternalStore(onHashChange, readerArguments, () => NO_TOKEN);
}
