/** Owns: of what synthetic traffic is made: browsers, bots, screens, places, sources. An entry that is listed twice is twice as frequent. Not: how it moves (traffic.ts). */
export type Place = { language: string; timeZone: string };
export type Source = { referrer: string; query: string };

const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)";

export const BROWSERS: readonly string[] = [
  `${CHROME} Chrome/142.0.0.0 Safari/537.36`,
  `${CHROME} Chrome/142.0.0.0 Safari/537.36`,
  `${CHROME} Chrome/141.0.0.0 Safari/537.36`,
  `${CHROME} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
];

export const BOTS: readonly string[] = [
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
];

export const SCREENS: readonly number[] = [390, 390, 412, 820, 1_280, 1_440, 1_920, 1_920, 2_560];

export const PLACES: readonly Place[] = [
  { language: "es-ES", timeZone: "Europe/Madrid" },
  { language: "en-US", timeZone: "America/New_York" },
  { language: "en-US", timeZone: "America/New_York" },
  { language: "en-IN", timeZone: "Asia/Kolkata" },
];

const DIRECT: Source = { referrer: "", query: "" };
const from = (referrer: string): Source => ({ referrer, query: "" });

export const SOURCE_MIX: readonly Source[] = [
  DIRECT,
  DIRECT,
  DIRECT,
  DIRECT,
  from("https://www.google.com/"),
  from("https://www.google.com/"),
  from("https://www.google.com/"),
  from("https://duckduckgo.com/"),
  from("https://news.ycombinator.com/item?id=1"),
  from("https://www.linkedin.com/feed/"),
  from("https://chatgpt.com/"),
  from("https://another-blog.example/a-post-that-links-here"),
  { referrer: "", query: "?utm_source=newsletter&utm_medium=email&utm_campaign=november" },
  { referrer: "https://t.co/", query: "?utm_source=x&utm_medium=social&utm_campaign=launch" },
  { referrer: "https://www.google.com/", query: "?gclid=abc&utm_source=google&utm_medium=cpc" },
];
