/**
 * Owns: by which channel a visit came, and from which source.
 * Not: reading referrers (referrer.ts) and tags (utm.ts); the raw tags stay as they are in the campaign report.
 */
import { normaliseHost } from "./host.ts";
import type { Referrer } from "./referrer.ts";
import { type Source, sourceOfTag } from "./sources.ts";
import type { Campaign } from "./utm.ts";

export const CHANNELS = [
  "direct",
  "internal",
  "search",
  "social",
  "email",
  "ai",
  "paid",
  "campaign",
  "referral",
] as const;

export type Channel = (typeof CHANNELS)[number];

export interface Acquisition {
  channel: Channel;
  /** "LinkedIn", "news.example", "partner-x"; "" when the visit is direct or internal. */
  source: string;
}

/** Media, in lower case and without separators, as Google Analytics groups them. */
const PAID_MEDIUM =
  /^(cp[acemv]|ppc|sem|retargeting|remarketing|display|banner|interstitial|paid.*|.*paid|.*ads?)$/;
const MEDIA: ReadonlyMap<string, Channel> = new Map([
  ["email", "email"],
  ["mail", "email"],
  ["newsletter", "email"],
  ["social", "social"],
  ["socialnetwork", "social"],
  ["socialmedia", "social"],
  ["sm", "social"],
  ["organic", "search"],
  ["search", "search"],
  ["ai", "ai"],
  ["llm", "ai"],
  ["chatbot", "ai"],
  ["referral", "referral"],
]);

/**
 * In this order: somebody paid (medium, click id, an advertiser's host); the medium says so; the source is a
 * listed service; any other tag is a campaign; another site is a referral; the rest came from inside or directly.
 * A tag is the word of whoever made the link, so it is believed before the referrer.
 */
export function acquisitionOf(referrer: Referrer, campaign: Campaign): Acquisition {
  const listed = listedSource(referrer, campaign);
  const source = listed?.name ?? unlistedSource(referrer, campaign);
  return { channel: channelOf(referrer, campaign, listed), source };
}

function channelOf(referrer: Referrer, campaign: Campaign, listed: Source | null): Channel {
  const medium = campaign.utmMedium.toLowerCase().replace(/[\s_-]/g, "");
  if (PAID_MEDIUM.test(medium) || campaign.clickedAt?.kind === "paid") return "paid";
  const byMedium = MEDIA.get(medium);
  if (byMedium !== undefined) return byMedium;
  if (listed !== null) return listed.kind;
  if (isTagged(campaign)) return "campaign";
  if (referrer.kind === "external") return "referral";
  return referrer.kind === "internal" ? "internal" : "direct";
}

function listedSource(referrer: Referrer, campaign: Campaign): Source | null {
  if (campaign.utmSource !== "") return sourceOfTag(campaign.utmSource);
  if (referrer.kind === "external") return referrer.source ?? campaign.clickedAt;
  return campaign.clickedAt;
}

/** One spelling for tags that differ only in case or in a leading `www.`. */
function unlistedSource(referrer: Referrer, campaign: Campaign): string {
  const tag = campaign.utmSource.toLowerCase();
  if (tag !== "") return (tag.includes(".") ? normaliseHost(tag) : "") || tag;
  return referrer.kind === "external" ? referrer.host : "";
}

function isTagged(campaign: Campaign): boolean {
  const { utmSource, utmMedium, utmCampaign, utmTerm, utmContent } = campaign;
  return [utmSource, utmMedium, utmCampaign, utmTerm, utmContent].some((tag) => tag !== "");
}
