/**
 * Owns: the one form of a host name, so that one site is one row.
 * Not: which hosts are whose (sources.ts).
 */
import { MAX_VALUE_LENGTH } from "./value.ts";

/**
 * Lower case, without port, closing dot and leading `www.`. Only exactly `www.` is cut: `www2.example.com` is
 * another host, and so is `www.com`. "" when it is no host name.
 */
export function normaliseHost(host: string): string {
  const name = host
    .slice(0, 2 * MAX_VALUE_LENGTH)
    .trim()
    .toLowerCase()
    .replace(/:\d+$/, "")
    .replace(/\.$/, "");
  if (!/^(\[[0-9a-f:.]+\]|[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*)$/u.test(name)) return "";
  return withoutWww(name).slice(-MAX_VALUE_LENGTH);
}

/** A pattern of such hosts, with `*` for any run of characters, in the same form. */
export function normaliseHostPattern(pattern: string): string {
  const name = pattern.trim().toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
  return withoutWww(name);
}

function withoutWww(name: string): string {
  const bare = name.startsWith("www.") ? name.slice("www.".length) : name;
  return bare.includes(".") ? bare : name;
}
