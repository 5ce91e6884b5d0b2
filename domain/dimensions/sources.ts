/**
 * Owns: finding a listed service by host, by Android package, or by what somebody wrote into `utm_source`.
 * Not: the list (source-list.ts).
 */
import { normaliseHost } from "./host.ts";
import { SOURCES, type SourceKind } from "./source-list.ts";

export interface Source {
  name: string;
  kind: SourceKind;
}

const byHost = new Map<string, Source>();
/** Names that stand under every national domain: `google` for google.com, google.es, google.co.uk, google.com.br. */
const byBrand = new Map<string, Source>();
const byApp = new Map<string, Source>();
const byTag = new Map<string, Source>();

for (const [name, kind, marks] of SOURCES) {
  const source = { name, kind };
  byTag.set(name.toLowerCase(), source);
  byTag.set(name.toLowerCase().replaceAll(" ", ""), source);
  for (const mark of marks.split(" ")) {
    if (mark.startsWith("app:")) byApp.set(mark.slice("app:".length), source);
    else if (mark.startsWith("tag:")) byTag.set(mark.slice("tag:".length), source);
    else if (mark.endsWith(".*")) byBrand.set(mark.slice(0, -".*".length), source);
    else byHost.set(mark, source);
  }
}

const NATIONAL_DOMAIN = /^(com|[a-z]{2}|(com|co|ne)\.[a-z]{2})$/;

/** The most exact entry wins: mail.google.com is Gmail, www.google.es is Google, google.es.example.org is neither. */
export function sourceOfHost(host: string): Source | null {
  let name = normaliseHost(host);
  while (name !== "") {
    const source = byHost.get(name) ?? sourceOfBrand(name);
    if (source !== null) return source;
    const dot = name.indexOf(".");
    name = dot === -1 ? "" : name.slice(dot + 1);
  }
  return null;
}

export function sourceOfApp(packageName: string): Source | null {
  return byApp.get(packageName) ?? null;
}

/** `linkedin`, `LinkedIn` and `www.linkedin.com` are all LinkedIn. */
export function sourceOfTag(tag: string): Source | null {
  const written = tag.trim().toLowerCase();
  return byTag.get(written) ?? (written.includes(".") ? sourceOfHost(written) : null);
}

function sourceOfBrand(host: string): Source | null {
  const dot = host.indexOf(".");
  if (dot === -1 || !NATIONAL_DOMAIN.test(host.slice(dot + 1))) return null;
  return byBrand.get(host.slice(0, dot)) ?? null;
}
