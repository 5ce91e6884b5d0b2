/**
 * Owns: the campaign tags of an address, and the click ids that advertisers add to it.
 * Not: the channel that follows from them (channel.ts).
 */
import type { SourceKind } from "./source-list.ts";
import type { Source } from "./sources.ts";
import { dimensionValue } from "./value.ts";

/** The tags as they were written; "" where there is none. */
export interface Campaign {
  utmSource: string;
  utmMedium: string;
  utmCampaign: string;
  utmTerm: string;
  utmContent: string;
  /** Who added a click id; null when nobody did. */
  clickedAt: Source | null;
}

/** More than any address bar holds usefully. */
const MAX_QUERY_LENGTH = 8_192;

const click = (name: string, kind: SourceKind): Source => ({ name, kind });

/** Parameter, in lower case, and what it proves. All but the last three are added to paid clicks only. */
const CLICK_IDS: ReadonlyMap<string, Source> = new Map([
  ["gclid", click("Google", "paid")],
  ["gbraid", click("Google", "paid")],
  ["wbraid", click("Google", "paid")],
  ["dclid", click("Google", "paid")],
  ["msclkid", click("Bing", "paid")],
  ["yclid", click("Yandex", "paid")],
  ["ttclid", click("TikTok", "paid")],
  ["twclid", click("X", "paid")],
  ["li_fat_id", click("LinkedIn", "paid")],
  ["rdt_cid", click("Reddit", "paid")],
  ["epik", click("Pinterest", "paid")],
  ["sccid", click("Snapchat", "paid")],
  ["fbclid", click("Facebook", "social")],
  ["igshid", click("Instagram", "social")],
  ["igsh", click("Instagram", "social")],
]);

/** `query` with or without its question mark. The first tag of a name that is not empty counts, in any case. */
export function readCampaign(query: string): Campaign {
  const tags = new Map<string, string>();
  let clickedAt: Source | null = null;
  for (const [written, value] of new URLSearchParams(query.slice(0, MAX_QUERY_LENGTH))) {
    const name = written.toLowerCase();
    const tag = name.startsWith("utm_") ? dimensionValue(value) : "";
    if (tag !== "" && !tags.has(name)) tags.set(name, tag);
    const clicked = value === "" ? undefined : CLICK_IDS.get(name);
    if (clicked !== undefined && clickedAt?.kind !== "paid") clickedAt = clicked;
  }
  return {
    utmSource: tags.get("utm_source") ?? "",
    utmMedium: tags.get("utm_medium") ?? "",
    utmCampaign: tags.get("utm_campaign") ?? "",
    utmTerm: tags.get("utm_term") ?? "",
    utmContent: tags.get("utm_content") ?? "",
    clickedAt,
  };
}
