/** Owns: the shapes of what operators give and get of sites, as validators; types are inferred from them. Not: tables (schema.ts). */
import { v } from "convex/values";
import type { Infer, ObjectType } from "convex/values";

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
  countryHeader: v.optional(v.union(v.string(), v.null())),
  takesUnknownHosts: v.optional(v.boolean()),
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
  countryHeader: v.union(v.string(), v.null()),
});
export type SiteDescription = Infer<typeof siteDescription>;

export const changedSite = v.object({
  site: siteDescription,
  /** What else follows, in sentences for the operator. */
  notes: v.array(v.string()),
});
export type ChangedSite = Infer<typeof changedSite>;
