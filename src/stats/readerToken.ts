/**
 * Owns: which site this page is of, and the token with which it reads where that wants one: `/stats?site=docs#token=…`.
 * The token stands in the fragment, which no browser sends to any server, and never in the query.
 * Not: whether it opens anything (convex/model/access.ts).
 */
import { useSyncExternalStore } from "react";

export type ReaderArguments = { token?: string; site?: string };

const NO_TOKEN: ReaderArguments = {};

/** The token of a fragment such as `#token=fr_…`; "" when it has none. */
export function tokenIn(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, "")).get("token") ?? "";
}

/** `/stats?site=docs` and `/share/docs` show another site of the deployment; undefined for its default one. */
export function siteIn({ pathname, search }: { pathname: string; search: string }) {
  const [, shared] = /^\/share\/([^/]+)/.exec(pathname) ?? [];
  return shared ?? (new URLSearchParams(search).get("site") || undefined);
}

/** From now on the page reads with this token; a link within it keeps it. */
export function readWith(token: string): void {
  window.location.hash = `token=${token}`;
}

let known = NO_TOKEN;

/** The token stays known when a link within the site drops the fragment, for as long as the page is open. */
function readerArguments(): ReaderArguments {
  const token = tokenIn(window.location.hash) || known.token;
  const site = siteIn(window.location);
  if (token !== known.token || site !== known.site) {
    known = { ...(token === undefined ? {} : { token }), ...(site === undefined ? {} : { site }) };
  }
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
