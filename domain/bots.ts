/**
 * Owns: whether a user agent is that of a program which visits pages by itself, and of what kind.
 * Not: what happens to its hits.
 *
 * isbot says whether; the kinds are for people who read what was filtered, so a name in two lists is in the one that
 * says more of why it came.
 */
import { isbot } from "isbot";

export const BOT_KINDS = [
  "ai",
  "search",
  "social preview",
  "monitor",
  "tool",
  "headless",
  "library",
  "other",
] as const;
export type BotKind = (typeof BOT_KINDS)[number];

/** The first kind whose pattern fits. */
const NAMES: readonly (readonly [BotKind, RegExp])[] = [
  [
    "ai",
    /gptbot|chatgpt|oai-|openai|claude|anthropic|perplexity|ccbot|bytespider|cohere|meta-external|amazonbot|mistral|youbot|diffbot|deepseek|duckassist|timpi|ai2bot|google-extended|applebot-extended/i,
  ],
  [
    "search",
    /googlebot|google-inspection|bingbot|bingpreview|adsbot|slurp|duckduckbot|baidu|yandex|sogou|petalbot|seznam|naver|yeti\/|qwant|applebot|mojeek|coccoc|360spider/i,
  ],
  [
    "social preview",
    /facebookexternalhit|facebot|twitterbot|linkedinbot|slack|discordbot|telegrambot|whatsapp|skypeuripreview|pinterest|redditbot|mastodon|bluesky|embedly|iframely|vkshare|snapchat/i,
  ],
  [
    "monitor",
    /uptime|pingdom|statuscake|monitor|newrelic|datadog|site24x7|better ?stack|checkly|nagios|zabbix|healthcheck/i,
  ],
  [
    "tool",
    /lighthouse|pagespeed|gtmetrix|ahrefs|semrush|mj12|dotbot|screaming frog|sitebulb|validator|dataforseo|serpstat|blexbot|archive\.org|ia_archiver|netcraft|censys|shodan|nmap|nikto|zgrab|scan/i,
  ],
  ["headless", /headless|phantomjs|puppeteer|playwright|selenium|webdriver/i],
  [
    "library",
    /curl|wget|python|go-http-client|java\/|okhttp|axios|node|undici|got[ /]|ruby|php|perl|libwww|httpie|postman|insomnia|guzzle|httpclient|dart|reqwest|aiohttp|scrapy|http\.rb/i,
  ],
];

/** The model of a phone, between Android's version and its build: one is called "M bot 60". */
const PHONE_MODEL = /(Android [\d.]+; )[^;()]*(?= Build\/|\))/;

/** Null for a person, also where the user agent is not known. */
export function botKindOf(userAgent: string | undefined): BotKind | null {
  if (!isBotAgent(userAgent)) return null;
  return NAMES.find(([, pattern]) => pattern.test(userAgent ?? ""))?.[0] ?? "other";
}

export function isBotAgent(userAgent: string | undefined): boolean {
  return isbot(userAgent?.replace(PHONE_MODEL, "$1"));
}

/**
 * What no browser sends as its user agent: nothing, code in place of a name, two machines at once, a version that does
 * not exist. A rule stands here only where no real browser is known that breaks it; whatever else is odd is counted.
 */
const IMPOSSIBLE: readonly RegExp[] = [
  /^\s*$/,
  /[<>]|\$\{|\(\)\s*\{|\bunion\s+select\b/i,
  /Windows NT [^)]*\b(iPhone|iPad|Android \d)/,
  /Windows NT (1[1-9]|[2-9]\d)/,
  /\b(Chrome|Firefox|Edg)\/(0|\d{4,})\./,
];

export function isImpossibleAgent(userAgent: string): boolean {
  return IMPOSSIBLE.some((pattern) => pattern.test(userAgent));
}
