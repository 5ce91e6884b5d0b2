import { expect, test } from "vitest";
import { botKindOf, isBotAgent } from "./bots.ts";

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
