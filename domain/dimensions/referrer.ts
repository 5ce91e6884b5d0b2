/**
 * Owns: what a referrer says: nothing, this site itself, or another site or app.
 * Not: the channel that follows from it (channel.ts).
 */
import { normalisePath } from "../path.ts";
import { normaliseHost } from "./host.ts";
import { type Source, sourceOfApp, sourceOfHost } from "./sources.ts";
import { dimensionValue } from "./value.ts";

export type Referrer =
  | { kind: "none" }
  /** A page of this site: never a source. */
  | { kind: "internal" }
  | {
      kind: "external";
      /** A host without `www.`, or an Android package such as `com.example.reader`. */
      host: string;
      /** Host and path. A query and a fragment may hold what is private, so they are never kept. */
      page: string;
      /** The listed service; null when it is none. */
      source: Source | null;
    };

/** Browsers send at most 4,096 characters, and no more of one is ever shown. */
const MAX_REFERRER_LENGTH = 4_096;

const NONE: Referrer = { kind: "none" };

/** `ownHosts`: the hosts of the site and of the page itself, with or without `www.` and port. Never throws. */
export function readReferrer(referrer: string, ownHosts: readonly string[]): Referrer {
  const text = referrer.trim().slice(0, MAX_REFERRER_LENGTH);
  const app = /^android-app:\/\/([\w.-]+)(?:\/(https?)\/(.*))?/i.exec(text);
  if (app !== null) return readApp(app[1] ?? "", app[3]);
  const url = parseWebAddress(text);
  if (url === null) return NONE;
  const host = normaliseHost(url.hostname);
  if (host === "") return NONE;
  if (ownHosts.some((own) => normaliseHost(own) === host)) return { kind: "internal" };
  return { kind: "external", host, page: pageOf(host, url.pathname), source: sourceOfHost(host) };
}

/** An app may say which site it showed: `android-app://com.google.android.googlequicksearchbox/https/www.google.com`. */
function readApp(packageName: string, shown: string | undefined): Referrer {
  const url = shown === undefined ? null : parseWebAddress(`https://${shown}`);
  const host = url === null ? "" : normaliseHost(url.hostname);
  const source = sourceOfApp(packageName.toLowerCase()) ?? sourceOfHost(host);
  const name = dimensionValue(host === "" ? packageName.toLowerCase() : host);
  const page = url === null || host === "" ? name : pageOf(host, url.pathname);
  return name === "" ? NONE : { kind: "external", host: name, page, source };
}

/** Only http and https are places that one comes from; `javascript:`, `data:`, `about:` and `file:` are not. */
function parseWebAddress(text: string): URL | null {
  if (!/^https?:\/\//i.test(text)) return null;
  try {
    return new URL(text);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function pageOf(host: string, pathname: string): string {
  const path = normalisePath(pathname);
  return dimensionValue(path === "/" ? host : host + path);
}
