/** Owns: the shapes of what operators give and get of sites, as validators; types are inferred from them. Not: tables (schema.ts). */
import { v } from "convex/values";
import type { Infer, ObjectType } from "convex/values";
import { access, pathRules, visitorMode } from "../schema.ts";

/** What can be set; null brings the default back. */
export const settingsArguments = {
  name: v.optional(v.string()),
  timeZone: v.optional(v.string()),
  /** All of them; `addHosts` and `removeHosts` change some. */
  hosts: v.optional(v.array(v.string())),
  addHosts: v.optional(v.array(v.string())),
  removeHosts: v.optional(v.array(v.string())),
  dedupWindowMs: v.optional(v.union(v.number(), v.null())),
  retentionDays: v.optional(v.union(v.number(), v.null())),
  /** All of them; null: none. Such as `copy.example` or `*.spam.example`. */
  blockedHosts: v.optional(v.union(v.array(v.string()), v.null())),
  blockedReferrers: v.optional(v.union(v.array(v.string()), v.null())),
  /** Views of a local day that are counted at most; null: no limit. */
  dailyCap: v.optional(v.union(v.number(), v.null())),
  countryHeader: v.optional(v.union(v.string(), v.null())),
  takesUnknownHosts: v.optional(v.boolean()),
  /** Each kind that is given is replaced; what was counted before stays as it was. */
  pathRules: v.optional(v.union(pathRules.partial(), v.null())),
  /** Whom the site counts as one visitor from now on; what was counted before stays as it was. */
  visitorMode: v.optional(v.union(visitorMode, v.null())),
  /** Who may read its statistics. */
  access: v.optional(v.union(access, v.null())),
  /** Whether a badge shows its numbers, whoever may read the rest. */
  badge: v.optional(v.boolean()),
};
export type SettingsArguments = ObjectType<typeof settingsArguments>;

export const siteDescription = v.object({
  slug: v.string(),
  name: v.string(),
  timeZone: v.string(),
  hosts: v.array(v.string()),
  takesUnknownHosts: v.boolean(),
  dedupWindowMs: v.number(),
  retentionDays: v.number(),
  dailyCap: v.union(v.number(), v.null()),
  blockedHosts: v.array(v.string()),
  blockedReferrers: v.array(v.string()),
  countryHeader: v.union(v.string(), v.null()),
  pathRules,
  visitorMode,
  access,
  badge: v.boolean(),
  isBeingRemoved: v.boolean(),
});
export type SiteDescription = Infer<typeof siteDescription>;

export const changedSite = v.object({
  site: siteDescription,
  /** What else follows, in sentences for the operator. */
  notes: v.array(v.string()),
});
export type ChangedSite = Infer<typeof changedSite>;

/** What goes, or would go, with a site. */
export const removal = v.object({
  site: v.string(),
  state: v.union(v.literal("dryRun"), v.literal("running")),
  tables: v.array(
    v.object({
      table: v.string(),
      rows: v.number(),
      /** False when there are more. */
      isExact: v.boolean(),
    }),
  ),
});
export type Removal = Infer<typeof removal>;

export const tableSize = v.object({
  table: v.string(),
  rows: v.number(),
  /** Of the documents; indexes add about as much again on the tables of views. */
  bytes: v.number(),
  /** False when there are more than were counted. */
  isExact: v.boolean(),
});
export type TableSize = Infer<typeof tableSize>;

export const sizePage = v.object({
  rows: v.number(),
  bytes: v.number(),
  /** Null at the end of the table. */
  cursor: v.union(v.string(), v.null()),
});
export type SizePage = Infer<typeof sizePage>;

const used = { views: v.number(), events: v.number() };

/** The last month by local days and the last year by months, the oldest first. */
export const siteUsage = v.object({
  days: v.array(v.object({ day: v.string(), ...used })),
  months: v.array(v.object({ month: v.string(), ...used })),
});
export type SiteUsage = Infer<typeof siteUsage>;
