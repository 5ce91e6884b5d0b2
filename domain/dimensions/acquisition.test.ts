import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { acquisitionOf } from "./channel.ts";
import { normaliseHost } from "./host.ts";
import { readReferrer } from "./referrer.ts";
import { SOURCES } from "./source-list.ts";
import { sourceOfHost } from "./sources.ts";
import { readCampaign } from "./utm.ts";
import { MAX_VALUE_LENGTH } from "./value.ts";

const OWN = ["example.com", "www.shop.example:8080"];

function arrive(referrer: string, query = "") {
  const read = readReferrer(referrer, OWN);
  const campaign = readCampaign(query);
  return { read, campaign, ...acquisitionOf(read, campaign) };
}

/** referrer, query, channel, source */
const ARRIVALS: [string, string, string, string][] = [
  ["", "", "direct", ""],
  ["https://example.com/a", "", "internal", ""],
  ["https://www.example.com/a", "", "internal", ""],
  ["http://shop.example/", "", "internal", ""],
  ["https://news.example/story?id=1#top", "", "referral", "news.example"],
  ["https://www.google.com/", "", "search", "Google"],
  ["https://www.google.co.uk/search?q=x", "", "search", "Google"],
  ["https://www.google.com.br/", "", "search", "Google"],
  ["https://news.google.com/", "", "search", "Google"],
  ["https://search.yahoo.co.jp/", "", "search", "Yahoo"],
  ["https://duckduckgo.com/", "", "search", "DuckDuckGo"],
  ["https://mail.google.com/mail/u/0/", "", "email", "Gmail"],
  ["https://docs.google.com/document", "", "referral", "Google Docs"],
  ["https://gemini.google.com/app", "", "ai", "Gemini"],
  ["https://chatgpt.com/", "", "ai", "ChatGPT"],
  ["https://chat.openai.com/c/1", "", "ai", "ChatGPT"],
  ["https://t.co/abc", "", "social", "X"],
  ["https://t.com/abc", "", "referral", "t.com"],
  ["https://old.reddit.com/r/a", "", "social", "Reddit"],
  ["https://l.facebook.com/l.php", "", "social", "Facebook"],
  ["https://news.ycombinator.com/item?id=1", "", "social", "Hacker News"],
  ["https://www.google.com.evil.example/", "", "referral", "google.com.evil.example"],
  ["https://evilgoogle.com/", "", "referral", "evilgoogle.com"],
  ["https://bing.community.example/", "", "referral", "bing.community.example"],
  // C31
  ["android-app://com.google.android.gm", "", "email", "Gmail"],
  ["android-app://com.google.android.gm/", "", "email", "Gmail"],
  [
    "android-app://com.google.android.googlequicksearchbox/https/www.google.com",
    "",
    "search",
    "Google",
  ],
  ["android-app://com.linkedin.android", "", "social", "LinkedIn"],
  ["android-app://com.reader.example", "", "referral", "com.reader.example"],
  ["android-app://com.reader.example/https/www.linkedin.com/feed", "", "social", "LinkedIn"],
  // C32
  ["", "utm_source=perplexity", "ai", "Perplexity"],
  ["", "?utm_source=chatgpt.com", "ai", "ChatGPT"],
  // C33
  ["", "utm_source=linkedin", "social", "LinkedIn"],
  ["", "utm_source=LinkedIn", "social", "LinkedIn"],
  ["https://www.linkedin.com/", "", "social", "LinkedIn"],
  // C39 and other schemes: nobody comes from there
  ["javascript:alert(1)", "", "direct", ""],
  ["data:text/html,x", "", "direct", ""],
  ["about:client", "", "direct", ""],
  ["file:///home/x", "", "direct", ""],
  ["ftp://files.example/", "", "direct", ""],
  ["//host.example/x", "", "direct", ""],
  ["not a url", "", "direct", ""],
  ["https://", "", "direct", ""],
  // campaigns
  ["", "utm_source=Partner-X&utm_campaign=spring", "campaign", "partner-x"],
  ["", "utm_source=www.Partner.example", "campaign", "partner.example"],
  ["https://news.example/", "utm_campaign=spring", "campaign", "news.example"],
  ["https://t.co/abc", "utm_campaign=spring", "social", "X"],
  ["https://example.com/a", "utm_campaign=spring", "campaign", ""],
  ["https://www.google.com/", "utm_source=partner-x", "campaign", "partner-x"],
  ["", "utm_source=google&utm_medium=cpc", "paid", "Google"],
  ["", "utm_source=facebook&utm_medium=paid_social", "paid", "Facebook"],
  ["", "utm_source=linkedin&utm_medium=email", "email", "LinkedIn"],
  ["", "utm_source=newsletter", "email", "Newsletter"],
  ["", "utm_medium=E-Mail", "email", ""],
  ["", "utm_medium=tcp-test&utm_source=lab", "campaign", "lab"],
  ["", "UTM_SOURCE=fb", "social", "Facebook"],
  ["https://www.google.com/", "gclid=abc", "paid", "Google"],
  ["", "gclid=abc", "paid", "Google"],
  ["", "fbclid=abc", "social", "Facebook"],
  ["", "fbclid=abc&msclkid=1", "paid", "Bing"],
  ["", "gclid=", "direct", ""],
  ["https://googleads.g.doubleclick.net/x", "", "paid", "Google Ads"],
];

describe("C31 C32 C33: channel and source", () => {
  test.each(ARRIVALS)("%j with %j is %s from %j", (referrer, query, channel, source) => {
    const arrival = arrive(referrer, query);
    expect([arrival.channel, arrival.source]).toEqual([channel, source]);
  });

  test("C33: the raw tags stay as they were written", () => {
    const { campaign } = arrive(
      "",
      "utm_source=LinkedIn&utm_medium=Social%20Post&utm_term=a&utm_content=b&utm_source=x",
    );
    expect(campaign).toEqual({
      utmSource: "LinkedIn",
      utmMedium: "Social Post",
      utmCampaign: "",
      utmTerm: "a",
      utmContent: "b",
      clickedAt: null,
    });
  });
});

describe("C29: the own host is never a source", () => {
  test.each([
    "https://example.com/",
    "http://EXAMPLE.com:3000/x",
    "https://www.example.com./",
    "https://shop.example/y",
  ])("%s is internal", (referrer) => {
    expect(readReferrer(referrer, OWN)).toEqual({ kind: "internal" });
  });

  test("a host below or beside it is another site", () => {
    expect(readReferrer("https://blog.example.com/", OWN)).toMatchObject({
      host: "blog.example.com",
    });
    expect(readReferrer("https://example.com.other.example/", OWN).kind).toBe("external");
  });
});

describe("C37: hosts", () => {
  test.each([
    ["www.example.com", "example.com"],
    ["www2.example.com", "www2.example.com"],
    ["WWW.Example.COM.", "example.com"],
    ["www.com", "www.com"],
    ["www.www.example.com", "www.example.com"],
    ["localhost:5173", "localhost"],
    ["[::1]:80", "[::1]"],
    ["", ""],
    ["a b", ""],
    ["<img src=x>", ""],
  ])("%j becomes %j", (host, normal) => {
    expect(normaliseHost(host)).toBe(normal);
  });
});

describe("referrer pages", () => {
  test.each([
    ["https://news.example/story/?token=secret#part", "news.example/story"],
    ["https://user:password@news.example/", "news.example"],
    ["https://news.example/k%C3%B6nnte", "news.example/könnte"],
    ["android-app://com.reader.example/https/news.example/story?x=1", "news.example/story"],
    ["android-app://com.reader.example", "com.reader.example"],
  ])("%s is shown as %s", (referrer, page) => {
    expect(readReferrer(referrer, OWN)).toMatchObject({ kind: "external", page });
  });
});

describe("the list of sources", () => {
  const marks = SOURCES.flatMap(([name, , written]) =>
    written.split(" ").map((mark) => ({ name, mark })),
  );

  test("no mark stands for two sources, and every host is in the form that is looked up", () => {
    expect(new Set(marks.map(({ mark }) => mark)).size).toBe(marks.length);
    for (const { name, mark } of marks) {
      if (mark.startsWith("app:") || mark.startsWith("tag:") || mark.endsWith(".*")) continue;
      expect(normaliseHost(mark)).toBe(mark);
      expect(sourceOfHost(mark)?.name).toBe(name);
      expect(sourceOfHost(`www.sub.${mark}`)?.name).toBe(name);
    }
  });

  test("every source can be named in utm_source", () => {
    for (const [name, kind] of SOURCES) {
      const { channel, source } = arrive("", new URLSearchParams({ utm_source: name }).toString());
      expect([channel, source]).toEqual([kind, name]);
    }
  });
});

test("any referrer and query give clamped, well-formed values and never throw", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.webUrl({ withQueryParameters: true }),
  );
  const anyReferrer = fc.oneof(
    anyText,
    anyText.map((text) => `https://${text}`),
    anyText.map((text) => `android-app://${text}`),
    fc.nat(6_000).map((length) => `https://news.example/${"😀".repeat(length)}`),
  );
  fc.assert(
    fc.property(anyReferrer, anyText, anyText, (referrer, query, tag) => {
      const { read, campaign, channel, source } = arrive(
        referrer,
        `${query}&utm_source=${tag}&utm_term=${tag.repeat(9)}`,
      );
      const { clickedAt: _, ...tags } = campaign;
      const shown = read.kind === "external" ? [read.host, read.page] : [];
      for (const value of [channel, source, ...Object.values(tags), ...shown]) {
        expect(value.length).toBeLessThanOrEqual(MAX_VALUE_LENGTH);
        expect(value).not.toMatch(/\p{Surrogate}/u);
        expect(value).not.toMatch(/[\n\r\0]/);
      }
    }),
    { numRuns: 500 },
  );
});
