import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readAgent } from "./agent.ts";
import { readLanguage } from "./language.ts";
import { placeOf, readTimeZone } from "./place.ts";
import { screenClass, screenLabel } from "./screen.ts";
import { MAX_VALUE_LENGTH, dimensionValue } from "./value.ts";

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)";
const MAC =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

/** user agent, browser with version, system with version, device */
const AGENTS: [string, string, string, string][] = [
  [`${WINDOWS} Chrome/131.0.0.0 Safari/537.36`, "Chrome 131", "Windows 10+", "desktop"],
  [
    `${WINDOWS} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    "Microsoft Edge 131",
    "Windows 10+",
    "desktop",
  ],
  [
    `${WINDOWS} Chrome/131.0.0.0 Safari/537.36 OPR/116.0.0.0`,
    "Opera 116",
    "Windows 10+",
    "desktop",
  ],
  [
    `Mozilla/5.0 (Windows NT 6.1; Win64; x64) ${WEBKIT} Chrome/109.0.0.0 Safari/537.36`,
    "Chrome 109",
    "Windows 7",
    "desktop",
  ],
  [`${MAC} Version/17.5 Safari/605.1.15`, "Safari 17", "macOS 10.15+", "desktop"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Firefox 132",
    "macOS 10.15+",
    "desktop",
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_12_6) ${WEBKIT} Chrome/103.0.0.0 Safari/537.36`,
    "Chrome 103",
    "macOS 10.12",
    "desktop",
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Firefox 132",
    "Linux",
    "desktop",
  ],
  [`${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`, "Safari 17", "iOS 17", "mobile"],
  [`${IPHONE} CriOS/131.0.6778.73 Mobile/15E148 Safari/604.1`, "Chrome 131", "iOS 17", "mobile"],
  [
    "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1",
    "Safari 16",
    "iOS 16",
    "tablet",
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/131.0.0.0 Mobile Safari/537.36`,
    "Chrome 131",
    "Android 10+",
    "mobile",
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; SM-A205U) ${WEBKIT} Chrome/96.0.4664.45 Mobile Safari/537.36`,
    "Chrome 96",
    "Android 10",
    "mobile",
  ],
  [
    "Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0",
    "Firefox 132",
    "Android 14",
    "mobile",
  ],
  [
    `Mozilla/5.0 (Linux; Android 13; SM-X906C) ${WEBKIT} Chrome/131.0.0.0 Safari/537.36`,
    "Chrome 131",
    "Android 13",
    "tablet",
  ],
  [
    "Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 TV Safari/537.36",
    "Tizen",
    "Tizen 6",
    "tv",
  ],
  // C41
  [
    `Mozilla/5.0 (Linux; Android 11; CUBOT_P20 Build/RP1A) ${WEBKIT} Chrome/96.0.4664.45 Mobile Safari/537.36`,
    "Chrome 96",
    "Android 11",
    "mobile",
  ],
  [
    `Mozilla/5.0 (Linux; Android 7.0; M bot 60 Build/NRD90M) ${WEBKIT} Chrome/80.0.3987.99 Mobile Safari/537.36`,
    "Chrome 80",
    "Android 7",
    "mobile",
  ],
  ["curl/8.0", "", "", ""],
  ["", "", "", ""],
  ["   ", "", "", ""],
];

describe("C41: user agents of persons", () => {
  test.each(AGENTS)("%s", (userAgent, browserVersion, systemVersion, device) => {
    const agent = readAgent(userAgent);
    expect([agent.browserVersion, agent.systemVersion, agent.device]).toEqual([
      browserVersion,
      systemVersion,
      device,
    ]);
    expect(browserVersion.startsWith(agent.browser)).toBe(true);
    expect(systemVersion.startsWith(agent.system)).toBe(true);
  });

  test("any text is read without throwing, and its values are clamped", () => {
    const anyAgent = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(
          fc.constantFrom(
            ...AGENTS.map(([userAgent]) => userAgent),
            ";",
            "(",
            "Version/",
            "x".repeat(900),
          ),
        )
        .map((parts) => parts.join(" ")),
    );
    fc.assert(
      fc.property(anyAgent, (userAgent) => {
        const { browser, browserVersion, system, systemVersion, device } = readAgent(userAgent);
        for (const value of [browser, browserVersion, system, systemVersion, device]) {
          expect(value.length).toBeLessThanOrEqual(MAX_VALUE_LENGTH);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("screens", () => {
  test.each([
    [360, "xs"],
    [575, "xs"],
    [576, "s"],
    [991.5, "s"],
    [992, "m"],
    [1_440, "l"],
    [1_920, "xl"],
    [7_680, "xl"],
    [0, ""],
    [-1, ""],
    [Number.NaN, ""],
    [Number.POSITIVE_INFINITY, ""],
    [1e9, ""],
    [undefined, ""],
  ])("%s px is %j", (width, name) => {
    expect(screenClass(width)).toBe(name);
  });

  test("labels say the numbers", () => {
    expect((["xs", "s", "m", "l", "xl"] as const).map(screenLabel)).toEqual([
      "under 576 px",
      "576–991 px",
      "992–1439 px",
      "1440–1919 px",
      "1920 px and up",
    ]);
  });
});

describe("languages", () => {
  test.each([
    ["en-US", "en-US"],
    ["EN_us", "en-US"],
    ["es", "es"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["es-419", "es-419"],
    ["de-CH-1996", "de-CH"],
    ["en-US-u-ca-buddhist", "en-US"],
    ["en-GB,en;q=0.9", "en-GB"],
    ["en_US.UTF-8", "en-US"],
    ["*", ""],
    ["", ""],
    ["english please", ""],
    ["<script>", ""],
    ["x".repeat(5_000), ""],
  ])("%j becomes %j", (text, language) => {
    expect(readLanguage(text)).toBe(language);
  });
});

describe("places", () => {
  test.each([
    ["ES", "America/New_York", "ES", "header"],
    ["es", "", "ES", "header"],
    ["XX", "Europe/Madrid", "ES", "timeZone"],
    ["T1", "", "", "nothing"],
    [null, "Asia/Kathmandu", "NP", "timeZone"],
    [null, "Asia/Katmandu", "NP", "timeZone"],
    [null, "Europe/Berlin", "DE", "timeZone"],
    [null, "Europe/Oslo", "NO", "timeZone"],
    [null, "America/Indianapolis", "US", "timeZone"],
    [null, "UTC", "", "nothing"],
    [null, "Etc/GMT+3", "", "nothing"],
    [null, "Mars/Olympus", "", "nothing"],
    [null, "__proto__", "", "nothing"],
    [null, "constructor", "", "nothing"],
    ["Spain", "", "", "nothing"],
  ])("header %j and zone %j give %j by %s", (header, zone, country, by) => {
    expect(placeOf(header, zone)).toEqual({ country, by });
  });

  test("every zone that this runtime knows, but UTC, has a country", () => {
    const without = Intl.supportedValuesOf("timeZone").filter(
      (zone) => placeOf(null, zone).country === "",
    );
    expect(without.filter((zone) => zone !== "UTC")).toEqual([]);
  });

  test.each([
    ["Asia/Calcutta", "Asia/Kolkata"],
    ["Europe/Kiev", "Europe/Kyiv"],
    ["US/Eastern", "America/New_York"],
    ["Europe/Oslo", "Europe/Oslo"],
    ["Europe/Madrid", "Europe/Madrid"],
    ["toString", ""],
    ["a b", ""],
    ["", ""],
  ])("the zone %j is counted as %j", (zone, name) => {
    expect(readTimeZone(zone)).toBe(name);
  });
});

describe("values", () => {
  test("are one clean line of at most 128 units, never half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        const value = dimensionValue(text);
        expect(value.length).toBeLessThanOrEqual(128);
        expect(value).not.toMatch(/[\p{Surrogate}\n\r\0]/u);
        expect(value.trim()).toBe(value);
        expect(dimensionValue(value)).toBe(value);
      }),
    );
    expect(dimensionValue("😀".repeat(100))).toBe("😀".repeat(64));
    expect(dimensionValue(`x${"😀".repeat(100)}`)).toBe(`x${"😀".repeat(63)}`);
  });
});
