/* Longer than 300 lines because its commands and options are one table. */
/**
 * Owns: what `npm run sites` takes: its commands, their options, and the function call that each is.
 * Not: calling it, or how the answer looks (answers.ts).
 */
import { parseArgs } from "node:util";
import { ACCESS_MODES } from "../../domain/access.ts";
import { MINUTE_MS } from "../../domain/minutes.ts";
import { VISITOR_MODES } from "../../domain/visitor-modes.ts";
import { BadOptions } from "../options.ts";

type Values = Record<string, string | boolean | string[] | undefined>;

export type Call = { readonly path: string; readonly args: Record<string, unknown> };

type Command = {
  /** What stands after the command, in order; the last may be many words. */
  readonly takes: readonly string[];
  readonly options: readonly Option[];
  readonly does: string;
  readonly call: (words: readonly string[], values: Values) => Call;
};

type Option = {
  readonly name: string;
  /** Missing for one that is set or not. */
  readonly takes?: string;
  readonly isMany?: boolean;
  readonly does: string;
};

const SETTING_OPTIONS: readonly Option[] = [
  { name: "name", takes: "TITLE", does: "what heads its statistics" },
  { name: "time-zone", takes: "ZONE", does: "such as Europe/Madrid; days are made anew" },
  {
    name: "dedup-minutes",
    takes: "N",
    does: "the same page again within these is no view; 0: it is",
  },
  { name: "retention-days", takes: "N", does: "raw rows are kept for these" },
  { name: "daily-cap", takes: "N", does: "count at most these views a day; none: no limit" },
  { name: "block-host", takes: "HOST", isMany: true, does: "count nothing from such pages; none" },
  {
    name: "block-referrer",
    takes: "HOST",
    isMany: true,
    does: "count nothing that links there brought: *.spam.example; none",
  },
  {
    name: "visitors",
    takes: "MODE",
    does: "who is one visitor: browser (a kept id), daily (address and day), none (views only)",
  },
  {
    name: "access",
    takes: "MODE",
    does: "who reads its statistics: public, token (add-token), operator (nobody else)",
  },
  { name: "badge", takes: "on|off", does: "whether /badge/SITE.svg shows its numbers" },
  {
    name: "country-header",
    takes: "NAME",
    does: "the CDN's header with a country; none: no header",
  },
  {
    name: "keep-query",
    takes: "NAME",
    isMany: true,
    does: "a query parameter that makes another page",
  },
  { name: "group", takes: "PATTERN", isMany: true, does: "count such paths as one: /user/*" },
  { name: "exclude", takes: "PATTERN", isMany: true, does: "do not count such paths: /admin/**" },
];

const CHANGES: readonly Option[] = [
  { name: "add-host", takes: "HOST", isMany: true, does: "one more host that is the site" },
  { name: "remove-host", takes: "HOST", isMany: true, does: "one that is not any more" },
  { name: "no-hosts", does: "none: whoever names the site is counted" },
  { name: "no-rules", does: "no path is grouped, excluded or told apart by its query" },
  { name: "any-host", does: "default site: take hits whose host is no site's" },
  { name: "known-hosts", does: "default site: filter them" },
];

const HOST_OPTION: Option = {
  name: "host",
  takes: "HOST",
  isMany: true,
  does: "a host that is the site",
};
const KEY_NAME_OPTION: Option = { name: "name", takes: "TEXT", does: "what it is for" };
const KEY_ID_OPTION: Option = { name: "id", takes: "ID", does: "which" };
const ON_OPTION: Option = {
  name: "on",
  takes: "WHEN",
  does: 'a day or moment of the site: 2026-11-30, "2026-11-30 14:30"; now when left out',
};
const CONFIRM_OPTION: Option = {
  name: "confirm",
  takes: "SLUG",
  does: "the site again: now it goes",
};

export const DEPLOYMENT: readonly Option[] = [
  { name: "url", takes: "URL", does: "the deployment (default: that of .env.local or the shell)" },
  { name: "admin-key", takes: "KEY", does: "its admin or deploy key" },
  { name: "help", does: "show this text" },
];

export const SITE_COMMANDS: Readonly<Record<string, Command>> = {
  list: {
    takes: [],
    options: [],
    does: "every site",
    call: () => ({ path: "sites:list", args: {} }),
  },
  add: {
    takes: ["SLUG"],
    options: [HOST_OPTION, ...SETTING_OPTIONS],
    does: "a further site",
    call: ([slug], values) => ({ path: "sites:add", args: { slug, ...settingsOf(values) } }),
  },
  set: {
    takes: ["SLUG"],
    options: [HOST_OPTION, ...CHANGES, ...SETTING_OPTIONS],
    does: "change what is given; --host, --group and the like replace all of their kind",
    call: ([site], values) => ({ path: "sites:set", args: { site, ...settingsOf(values) } }),
  },
  rename: {
    takes: ["SLUG", "TITLE"],
    options: [],
    does: "another title; the slug is the key of every row and stays",
    call: ([site, name]) => ({ path: "sites:set", args: { site, name } }),
  },
  unknown: {
    takes: [],
    options: [],
    does: "hosts that hits came from and that are no site's",
    call: () => ({ path: "sites:unknownHosts", args: {} }),
  },
  size: {
    takes: ["SLUG"],
    options: [],
    does: "its rows and bytes by table",
    call: ([site]) => ({ path: "sites:size", args: { site } }),
  },
  usage: {
    takes: ["SLUG"],
    options: [],
    does: "its views and events by day and month",
    call: ([site]) => ({ path: "sites:usage", args: { site } }),
  },
  delete: {
    takes: ["SLUG"],
    options: [CONFIRM_OPTION],
    does: "says what would go; with --confirm it goes, for ever",
    call: ([site], { confirm }) => ({
      path: "sites:remove",
      args: { site, ...given({ confirm }) },
    }),
  },
  keys: {
    takes: ["SLUG"],
    options: [],
    does: "the keys with which servers send its hits",
    call: ([site]) => ({ path: "keys:list", args: { site } }),
  },
  "add-key": {
    takes: ["SLUG"],
    options: [KEY_NAME_OPTION],
    does: "one more; it is shown this once",
    call: ([site], { name }) => ({ path: "keys:create", args: { site, ...given({ name }) } }),
  },
  "revoke-key": {
    takes: ["SLUG"],
    options: [KEY_ID_OPTION],
    does: "from now on it opens nothing",
    call: ([site], { id = "" }) => ({ path: "keys:revoke", args: { site, id } }),
  },
  tokens: {
    takes: ["SLUG"],
    options: [],
    does: "the tokens with which its statistics are read",
    call: ([site]) => ({ path: "tokens:list", args: { site } }),
  },
  "add-token": {
    takes: ["SLUG"],
    options: [
      KEY_NAME_OPTION,
      { name: "days", takes: "N", does: "it ends after these; without: never" },
      { name: "password", takes: "TEXT", does: "who opens the link types it once a day" },
      { name: "segment", takes: "NAME", does: "it shows that alone, and ends when that goes" },
    ],
    does: "one more, for a link to share; it is shown this once",
    call: ([site], values) => ({
      path: "tokens:create",
      args: {
        site,
        ...given({
          name: values["name"],
          password: values["password"],
          segment: values["segment"],
          days: numberOf(values, "days"),
        }),
      },
    }),
  },
  "revoke-token": {
    takes: ["SLUG"],
    options: [KEY_ID_OPTION],
    does: "from now on it opens nothing",
    call: ([site], { id = "" }) => ({ path: "tokens:revoke", args: { site, id } }),
  },
  segments: {
    takes: ["SLUG"],
    options: [],
    does: "its segments: filters that are kept under a name, and kept up",
    call: ([site]) => ({ path: "segments:list", args: { site } }),
  },
  "add-segment": {
    takes: ["SLUG", "TEXT"],
    options: [
      { name: "filter", takes: "FILTER", does: 'such as "country:is:ES;path:matches:/posts/*"' },
    ],
    does: "one of that name; one that has the name gets the filter",
    call: ([site, name], { filter = "" }) => ({
      path: "segments:add",
      args: { site, name, filter },
    }),
  },
  "remove-segment": {
    takes: ["SLUG", "TEXT"],
    options: [],
    does: "one less; links that show it alone are revoked",
    call: ([site, name]) => ({ path: "segments:remove", args: { site, name } }),
  },
  annotate: {
    takes: ["SLUG", "TEXT"],
    options: [ON_OPTION],
    does: "a line beside the numbers: a release, an outage; whoever reads them sees it",
    call: ([site, text], { on }) => ({
      path: "annotations:add",
      args: { site, text, ...given({ on }) },
    }),
  },
  annotations: {
    takes: ["SLUG"],
    options: [],
    does: "the lines beside its numbers, the newest first",
    call: ([site]) => ({ path: "annotations:list", args: { site } }),
  },
  "remove-annotation": {
    takes: ["SLUG"],
    options: [KEY_ID_OPTION],
    does: "one less",
    call: ([site], { id = "" }) => ({ path: "annotations:remove", args: { site, id } }),
  },
};

export type Asked = {
  readonly command: string;
  readonly call: Call;
  readonly values: { url?: string; "admin-key"?: string };
};

/** Null: somebody asks for help. Throws BadOptions. */
export function parseCommand(args: readonly string[]): Asked | null {
  const [name = "", ...rest] = args;
  if (name === "" || ["help", "--help", "-h"].includes(name)) return null;
  const command = Object.hasOwn(SITE_COMMANDS, name) ? SITE_COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new BadOptions(
      `"${name}" is no command. Known: ${Object.keys(SITE_COMMANDS).join(", ")}.`,
    );
  }
  const { values, positionals } = parse(name, command, rest);
  if (values.help === true) return null;
  const words = wordsOf(name, command, positionals);
  const { url, "admin-key": adminKey } = values;
  const named = given({ url, "admin-key": adminKey });
  return { command: name, call: command.call(words, values), values: named };
}

function parse(name: string, { options }: Command, args: readonly string[]) {
  const known = [...options, ...DEPLOYMENT];
  const config = known.map(
    (option): [string, { type: "string" | "boolean"; multiple?: boolean }] => [
      option.name,
      {
        type: option.takes === undefined ? "boolean" : "string",
        ...(option.isMany === true ? { multiple: true } : {}),
      },
    ],
  );
  try {
    const parsed = parseArgs({
      args: [...args],
      options: Object.fromEntries(config),
      allowPositionals: true,
    });
    return { values: parsed.values as Values, positionals: parsed.positionals };
  } catch (error) {
    const isBad = error instanceof Error && "code" in error;
    if (!isBad || !String(error.code).startsWith("ERR_PARSE_ARGS")) throw error;
    const names = known.map((option) => `--${option.name}`).join(", ");
    throw new BadOptions(`${error.message.split(". ")[0]}. ${name} knows: ${names}.`);
  }
}

function wordsOf(name: string, { takes }: Command, positionals: readonly string[]): string[] {
  const words = positionals.slice(0, Math.max(0, takes.length - 1));
  const last = positionals.slice(words.length);
  const isTitle = takes.at(-1) === "TITLE" || takes.at(-1) === "TEXT";
  const all =
    last.length === 0 ? words : isTitle ? [...words, last.join(" ")] : [...words, ...last];
  if (all.length === takes.length) return all;
  throw new BadOptions(
    `${name} takes ${takes.length === 0 ? "nothing" : takes.join(" ")}, not "${positionals.join(" ")}".`,
  );
}

function settingsOf(values: Values): Record<string, unknown> {
  const { name, host, group, exclude } = values;
  const rules = given({ keepQuery: values["keep-query"], group, exclude });
  const hasRules = Object.keys(rules).length > 0;
  return given({
    name,
    hosts: values["no-hosts"] === true ? [] : host,
    addHosts: values["add-host"],
    removeHosts: values["remove-host"],
    timeZone: values["time-zone"],
    retentionDays: numberOf(values, "retention-days"),
    visitorMode: oneOf(VISITOR_MODES, values, "visitors"),
    access: oneOf(ACCESS_MODES, values, "access"),
    badge: switchOf(oneOf(SWITCH, values, "badge")),
    dedupWindowMs: timesMinute(numberOf(values, "dedup-minutes")),
    dailyCap: values["daily-cap"] === "none" ? null : numberOf(values, "daily-cap"),
    blockedHosts: listOf(values["block-host"]),
    blockedReferrers: listOf(values["block-referrer"]),
    countryHeader: values["country-header"] === "none" ? null : values["country-header"],
    pathRules: values["no-rules"] === true ? null : hasRules ? rules : undefined,
    takesUnknownHosts: values["any-host"] === true ? true : closedOf(values),
  });
}

function listOf(given: Values[string]): Values[string] | null {
  return Array.isArray(given) && given.includes("none") ? null : given;
}

const SWITCH = ["on", "off"] as const;

function switchOf(given: string | undefined): boolean | undefined {
  return given === undefined ? undefined : given === "on";
}

function closedOf(values: Values): false | undefined {
  return values["known-hosts"] === true ? false : undefined;
}

function oneOf(known: readonly string[], values: Values, name: string): string | undefined {
  const given = values[name];
  if (given === undefined) return undefined;
  if (typeof given === "string" && known.includes(given)) return given;
  throw new BadOptions(`--${name} takes ${known.join(", ")}, not "${String(given)}".`);
}

function timesMinute(minutes: number | undefined): number | undefined {
  return minutes === undefined ? undefined : Math.round(minutes * MINUTE_MS);
}

function numberOf(values: Values, name: string): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (typeof text === "string" && text.trim() !== "" && Number.isFinite(number)) return number;
  throw new BadOptions(`--${name} takes a number, not "${String(text)}".`);
}

/** Without the fields that were not given. */
function given(fields: Record<string, unknown>): Record<string, never> {
  const all = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(all) as Record<string, never>;
}
