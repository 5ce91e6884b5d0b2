/**
 * Owns: what an operator reads of an answer at the terminal.
 * Not: getting it (sites.ts).
 */
import type { FunctionReturnType } from "convex/server";
import type { internal } from "../../convex/_generated/api.js";
import { filterText } from "../../domain/filters/text.ts";
import { MINUTE_MS } from "../../domain/minutes.ts";
import { SITE_COMMANDS, DEPLOYMENT } from "./commands.ts";

type Returned<F extends keyof typeof internal.sites> = FunctionReturnType<
  (typeof internal.sites)[F]
>;
type Annotations = FunctionReturnType<typeof internal.annotations.list>;
type Segment = FunctionReturnType<typeof internal.segments.list>[number];
type Keys = FunctionReturnType<typeof internal.tokens.list>;

const NO_SEGMENT = "There is none of that name; npm run sites -- segments SLUG lists them.";

const BYTES_PER_KB = 1_000;

/** `value` is what the command's function gave, which its `returns` has checked. */
export function describe(command: string, value: unknown): string {
  switch (command) {
    case "list":
      return listOf(value as Returned<"list">);
    case "add":
    case "set":
    case "rename": {
      const { site, notes } = value as Returned<"set">;
      return [listOf([site]), ...notes].join("\n");
    }
    case "unknown":
      return unknownOf(value as Returned<"unknownHosts">);
    case "size":
      return sizeOf(value as Returned<"size">);
    case "usage":
      return usageOf(value as Returned<"usage">);
    case "delete":
      return removalOf(value as Returned<"remove">);
    case "keys":
    case "tokens":
      return keysOf(value as Keys);
    case "add-token": {
      const { token, id } = value as FunctionReturnType<typeof internal.tokens.create>;
      return `${token}\nKeep it now: it is shown this once. Its id is ${id}. It reads at /stats#token=${token}, and at /share/SITE#token=${token}, which other pages may show in a frame.`;
    }
    case "add-key": {
      const { key, id } = value as FunctionReturnType<typeof internal.keys.create>;
      return `${key}\nKeep it now: it is shown this once. Its id is ${id}.`;
    }
    case "segments":
      return segmentsOf(value as Segment[]);
    case "add-segment":
      return segmentsOf([value as Segment]);
    case "remove-segment":
      return value === true ? "It is gone, and so are links that showed it alone." : NO_SEGMENT;
    case "annotations":
      return annotationsOf(value as Annotations);
    case "annotate":
      return annotationsOf([value as Annotations[number]]);
    default:
      return "Done.";
  }
}

export function usage(): string {
  const lines = Object.entries(SITE_COMMANDS).flatMap(([name, { takes, options, does }]) => [
    ["", [name, ...takes].join(" "), does],
    ...options.map((option) => ["", `    ${flag(option)}`, option.does]),
  ]);
  const everywhere = DEPLOYMENT.map((option) => ["", flag(option), option.does]);
  return `Sites of one deployment.

  npm run sites -- COMMAND [SLUG] [options]

${columns(lines)}

${columns(everywhere)}`;
}

function flag({ name, takes }: { name: string; takes?: string }): string {
  return takes === undefined ? `--${name}` : `--${name} ${takes}`;
}

function listOf(sites: Returned<"list">): string {
  const rows = sites.map((site) => [
    site.slug,
    site.name,
    site.timeZone,
    hostsOf(site),
    ...settingsOf(site),
  ]);
  return columns([["site", "title", "time zone", "hosts", "settings"], ...rows]);
}

function hostsOf({ hosts, takesUnknownHosts }: Returned<"list">[number]): string {
  if (takesUnknownHosts) return [...hosts, "any other"].join(" ");
  return hosts.length === 0 ? "whoever names it" : hosts.join(" ");
}

function settingsOf(site: Returned<"list">[number]): string[] {
  const { pathRules, dedupWindowMs, retentionDays, countryHeader, visitorMode, access } = site;
  const rules = Object.entries(pathRules).flatMap(([kind, list]) =>
    list.length === 0 ? [] : [`${kind} ${list.join(" ")}`],
  );
  const kept = [
    `access ${access}`,
    `visitors ${visitorMode}`,
    `window ${dedupWindowMs / MINUTE_MS} min`,
    `rows ${retentionDays} days`,
  ];
  const header = countryHeader === null ? [] : [`country ${countryHeader}`];
  const badge = site.badge ? ["badge"] : [];
  const removing = site.isBeingRemoved ? ["being removed"] : [];
  return [[...removing, ...kept, ...badge, ...header, ...rules].join(", ")];
}

function unknownOf(hosts: Returned<"unknownHosts">): string {
  if (hosts.length === 0) return "Every hit of the last 30 days was a known site's.";
  const rows = hosts.map(({ host, named, hits, isExact, command }) => [
    host === "" ? "(none)" : host,
    named ?? "(none)",
    isExact ? String(hits) : `about ${hits} or more`,
    command,
  ]);
  return columns([["host", "named", "hits", "counts from then on with"], ...rows]);
}

function sizeOf(sizes: Returned<"size">): string {
  const rows = sizes.map(({ table, rows: count, bytes, isExact }) => [
    table,
    isExact ? String(count) : `more than ${count}`,
    `${Math.ceil(bytes / BYTES_PER_KB)} KB`,
  ]);
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  const total = ["together", "", `${Math.ceil(bytes / BYTES_PER_KB)} KB, without indexes`];
  return columns([["table", "rows", "size"], ...rows, total]);
}

function usageOf({ days, months }: Returned<"usage">): string {
  const rowsOf = (list: readonly { name: string; views: number; events: number }[]) =>
    list
      .filter(({ views, events }) => views + events > 0)
      .map(({ name, views, events }) => [name, String(views), String(events)]);
  const rows = [
    ...rowsOf(months.map((row) => ({ name: row.month, ...row }))),
    ["", "", ""],
    ...rowsOf(days.map((row) => ({ name: row.day, ...row }))),
  ];
  return columns([["days and months with some", "views", "events"], ...rows]);
}

function removalOf({ site, state, tables }: Returned<"remove">): string {
  const rows = tables.map(({ table, rows: count, isExact }) => [
    table,
    isExact ? String(count) : `more than ${count}`,
  ]);
  const what = columns([["table", "rows"], ...rows]);
  const next =
    state === "dryRun"
      ? `Nothing is removed yet. It goes, for ever, with: npm run sites -- delete ${site} --confirm ${site}`
      : `It takes no more hits, and its rows go by themselves; npx convex logs tells how far that is.`;
  return `${what}\n${next}`;
}

function keysOf(keys: Keys): string {
  const dayOf = (at: number | undefined) => (at === undefined ? "" : new Date(at).toISOString());
  const rows = keys.map(({ id, name, createdAt, expiresAt, hasPassword = false, segment = "" }) => [
    ...[id, name, dayOf(createdAt), dayOf(expiresAt), hasPassword ? "yes" : "", segment],
  ]);
  return columns([["id", "name", "made", "ends", "password", "segment alone"], ...rows]);
}

function segmentsOf(segments: readonly Segment[]): string {
  const rows = segments.map(({ name, filter }) => [name, filterText(filter)]);
  return columns([["segment", "filter"], ...rows]);
}

function annotationsOf(annotations: Annotations): string {
  const rows = annotations.map(({ id, at, day, text }) => [
    id,
    day ?? new Date(at).toISOString(),
    text,
  ]);
  return columns([["id", "on", "text"], ...rows]);
}

/** Each column as wide as its longest entry. */
function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((text, at) => (widths[at] = Math.max(widths[at] ?? 0, text.length)));
  }
  const lines = rows.map((row) => row.map((text, at) => text.padEnd(widths[at] ?? 0)).join("  "));
  return lines.map((line) => line.trimEnd()).join("\n");
}
